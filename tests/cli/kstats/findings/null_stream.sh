# 24 times, 112 us apart: a kernel of 100 us in one of two queues beside one of 20 us in the other, by turns, and after
# both, 1 us later, one of 10 us in a third queue, which the next two wait for, 1 us long.  All were launched long before.
# By that queue the others wait for each other's long kernels: without, each has 12 * 100 + 12 * 20 us to do, with 23 gaps
# of 1 us, and ends after 1463 us of 23 * 112 + 111 = 2687: 1224 us, 45.6 %.  Products of half the length save 50 us each
# time.  Where kernels of the third queue run beside the next of another, nobody waits for them, and the first two overlap.
# Where hipStreamWaitEvent comes before each launch, that is why they wait, and the third queue is no null stream; the
# products save the same.
rounds() {
	awk -v beside="$1" -v wait="$2" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 24; i++) {
			t = 1005000 + i * 112000
			for (q = 1; q <= 3; q++) {
				at = 1000000 + i * 3000 + (q - 1) * 1000
				from = q < 3 ? t : t + 101000 + (beside ? 5000 : 0)
				long = q == 3 ? 10000 : i % 2 == q - 1 ? 100000 : 20000
				if (wait)
					printf "HIP_RUNTIME_API,hipStreamWaitEvent,1,1,%d,%d,%d\n", 1000 + 3 * i + q, at - 80, at - 20 >api
				printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, at, at + 900 >api
				printf "KERNEL_DISPATCH,Agent 4,%d,%d,%s,%d,%d,%d\n", q, q,
				       q < 3 ? "Cijk_a" : "elementwise_kernel", n, from, from + long >kernel
			}
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
	kstats whatif -q -f csv --columns scenario,model_error_pct,saved_gpu_ns --only "queues overlap;class gemm x 0.5" .
}
rounds 0 0
rounds 1 0
rounds 0 1
