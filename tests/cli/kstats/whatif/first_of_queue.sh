# Six rounds of eight launches, of which none has begun when the last of them returns, which takes 10 us instead of 2.
# That is no full queue of eight: no operation makes room.  In the first round nothing is on the queue before them.
# Each round takes 40 us until the first kernel begins, eight kernels and 1 us between them, 3 us until the wait returns,
# and 5 us: with kernels of 1 us instead of 5 the time is that of the same program with such kernels.
run() { # LENGTH FOLDER
	mkdir "$2"
	awk -v length_ns="$1" -v folder="$2" 'BEGIN {
		kernels = folder "/a_kernel_trace.csv"; calls = folder "/a_hip_api_trace.csv"
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >kernels
		print "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >calls
		for (now = 1000000; round < 6; round++) {
			start = now + 40000
			for (i = 1; i <= 8; i++) {
				n++
				printf "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,7,%d,%d,%d\n", n, now, now + (i < 8 ? 2000 : 10000) >calls
				printf "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,7,%d,1,\"k\",%d,%d,%d\n", n, n, start, start + length_ns >kernels
				now += i < 8 ? 3000 : 11000
				start += length_ns + 1000
			}
			printf "\"HIP_RUNTIME_API\",\"hipStreamSynchronize\",1,7,%d,%d,%d\n", 100 + n, now, start + 2000 >calls
			now = start + 7000
		}
	}'
}
run 5000 slow
run 1000 fast
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns --scale /k/=0.2 slow || exit
kstats whatif -q -f csv --columns window_ns --copy 1 fast
