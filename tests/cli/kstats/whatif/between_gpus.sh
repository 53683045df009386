# One process and two GPUs, 20 times: a kernel of 100 us on one, 3 us later one of 100 us on the other, which waits for it by
# hipStreamWaitEvent, and 3 us later the next on the first, which waits likewise.  All are launched ahead.  Kernels of half
# the length save 40 * 50 us, at least and at most.
# Then 20 times, 166 us apart: a kernel of 100 us, which the host waits for, and 1 us later hipMemcpyPeer, whose copy of 50 us
# begins 3 us later and which returns 3 us after that, 1 us before the next launch.  The copy is on the stream of the kernel:
# without the wait it begins 1 us after it, as is assumed, and not 7 us, which saves 6 us each time, and not the 100 us that
# a copy would that need not wait.
head_of() {
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp >app_hip_api_trace.csv
	echo Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp >app_kernel_trace.csv
	echo Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp \
		>app_memory_copy_trace.csv
}
events='
	function call(name, from, to) {
		printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", name, ++n, from, to >>"app_hip_api_trace.csv"
	}
	function kernel(agent, stream, from, to) {
		printf "KERNEL_DISPATCH,Agent %d,%d,%d,Cijk_a,%d,%d,%d\n", agent, stream, stream, n, from, to >>"app_kernel_trace.csv"
	}
	function copy(from, to) {
		printf "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_DEVICE,1,Agent 4,Agent 5,%d,%d,%d\n", n, from, to >>"app_memory_copy_trace.csv"
	}'
head_of
awk "$events"'
	BEGIN {
		for (i = 0; i < 40; i++) {
			at = 1000000 + i * 5000
			if (i)
				call("hipStreamWaitEvent", at, at + 500)
			call("hipLaunchKernel", at + 1000, at + 2000)
			kernel(4 + i % 2, 1 + i % 2, 1010000 + i * 103000, 1110000 + i * 103000)
			call("hipEventRecord", at + 3000, at + 3500)
		}
	}'
kstats whatif -q -f csv --columns scenario,saved_ns,low_pct,high_pct --only "class gemm x 0.5" .
head_of
awk "$events"'
	BEGIN {
		for (i = 0; i < 20; i++) {
			t = 1000000 + i * 166000
			call("hipLaunchKernel", t, t + 1500)
			kernel(4, 1, t + 5000, t + 105000)
			call("hipStreamSynchronize", t + 2000, t + 108000)
			call("hipMemcpyPeer", t + 109000, t + 165000)
			copy(t + 112000, t + 162000)
		}
	}'
kstats whatif -q -f csv --columns scenario,saved_ns,saved_gpu_ns --only "no host syncs" .
