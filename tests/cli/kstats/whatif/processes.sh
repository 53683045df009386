# Two processes of one rank, each on a GPU of its own.  The first frees memory, which waits for its kernel `a` (10 to 110 us, the call returns
# at 116), and then runs `c`; `b` of the second runs from 10 to 200 us, past that call, which is nothing to it.  Half of `a` is 50 us, of
# 436: 386.  Nothing waits for `b`.  It is the same if both threads are of one process: the call is for one GPU.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
{
	echo "$head"
	echo '"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"a",1,1010000,1110000'
	echo '"KERNEL_DISPATCH","Agent 4",1,1,7,2,2,"c",3,1130000,1430000'
	echo '"KERNEL_DISPATCH","Agent 5",2,2,8,3,3,"b",11,1010000,1200000'
} >t_kernel_trace.csv
calls() { # PROCESS OF THE SECOND THREAD
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for c in '1,7,1 hipLaunchKernel 0 5' '1,7,2 hipFree 6 116' '1,7,3 hipLaunchKernel 120 125' '1,7,4 hipDeviceSynchronize 126 436' \
		"$1,8,11 hipLaunchKernel 0 5" "$1,8,12 hipDeviceSynchronize 6 206"; do
		# shellcheck disable=SC2086
		set -- $c
		echo "\"HIP_RUNTIME_API\",\"$2\",$1,$((1000000 + $3 * 1000)),$((1000000 + $4 * 1000))"
	done
}
for process in 2 1; do
	calls $process >t_hip_api_trace.csv
	for what in /^a/=0.5 /^b/=0; do
		kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale $what 0=t_kernel_trace.csv 0=t_hip_api_trace.csv || exit
	done
done
# The same GPU and the same number of stream for both, which are two streams all the same: `b` ends at 128 us, `c` begins at 130 after its
# launch, and not after `b`.  The most is with `a` and `b`, side by side on one GPU, slowing each other.
sed -e 's/"Agent 5",2,2,8,/"Agent 4",1,1,8,/' -e 's/1200000$/1128000/' t_kernel_trace.csv >one_kernel_trace.csv
calls 2 | sed 's/1206000$/1134000/' >one_hip_api_trace.csv
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale /^a/=0.5 0=one_kernel_trace.csv 0=one_hip_api_trace.csv
