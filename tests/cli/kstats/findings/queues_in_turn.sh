# 40 times a product of 100 us on one queue, 3 us later a kernel of 60 us on another, and 3 us later the next product:
# 40 * 166 - 3 = 6637 us.  All are launched ahead, in 4 us each, the first one 10 us before it begins.  Did they not wait
# for each other, the longer queue would need 40 * 100 us and 39 gaps of 1 us assumed, as nothing queued in its own
# queue alone: 2598 us less, 39.1 %.  It is a note, for whether they have to wait the trace does not tell.
# Products of half the length save 40 * 50 us: the other kernels wait for them, whether a hipStreamWaitEvent lets them
# or they are on the null stream, of which no call tells.
queues() {
	awk -v wait="$1" -v gap="$2" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 40; i++) {
			a = 990000 + i * 8000
			t = 1000000 + i * 166000
			if (wait) {
				printf "HIP_RUNTIME_API,hipStreamWaitEvent,1,1,%d,%d,%d\n", 1000 + i, a - 200, a - 100 >api
				printf "HIP_RUNTIME_API,hipStreamWaitEvent,1,1,%d,%d,%d\n", 2000 + i, a + 3800, a + 3900 >api
			}
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 1, a, a + 3700 >api
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 2, a + 4000, a + 7700 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i + 1, t, t + 100000 >kernel
			printf "KERNEL_DISPATCH,Agent 4,2,vectorized_elementwise_kernel_a,%d,%d,%d\n", 2 * i + 2, t + 103000 - gap, t + 163000 - gap >kernel
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
	kstats whatif -q -f csv --columns scenario,saved_gpu_ns --only "queues overlap;class gemm x 0.5" .
}
queues 1 0
queues 0 0
# They run at once for 40 of each 163 us: queues overlap as they are.
queues 0 43000
