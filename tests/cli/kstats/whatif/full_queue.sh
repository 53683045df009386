# A queue holds eight operations that have not begun: a launch takes 2 us, or returns 1 us after the one eight places
# before its own has begun.  What is recorded has kernels of 20 us; with a tenth of that the queue is never full, and
# the time is that of the same program with kernels of 2 us, to the nanosecond.
run() { # LENGTH FOLDER: 40 kernels, 1 us between calls, a kernel begins 5 us after its call or 1 us after the last one
	mkdir "$2"
	awk -v length_ns="$1" -v folder="$2" 'BEGIN {
		kernels = folder "/a_kernel_trace.csv"; calls = folder "/a_hip_api_trace.csv"
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >kernels
		print "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >calls
		for (i = 1; i <= 40; i++) {
			begin = i > 1 ? returned + 1000 : 1000000
			returned = begin + 2000
			if (i > 8 && start[i - 8] + 1000 > returned) returned = start[i - 8] + 1000
			start[i] = begin + 5000
			if (i > 1 && ended + 1000 > start[i]) start[i] = ended + 1000
			ended = start[i] + length_ns
			printf "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,7,%d,1,\"k\",%d,%d,%d\n", i, i, start[i], ended >kernels
			printf "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,7,%d,%d,%d\n", i, begin, returned >calls
		}
	}'
}
run 20000 slow
run 2000 fast
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale /k/=0.1 slow || exit
kstats whatif -q -f csv --columns window_ns --copy 1 fast || exit
# The launches cost nothing that the kernels do not cover: the queue is full as before.
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --host 0.5 slow || exit
# With 25 us between calls the host is the slower one: 39 times 27, and 25 for the last.
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --host 25 slow
