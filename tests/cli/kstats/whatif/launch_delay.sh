# 20 times: 24 launches of 4 us, one after the other, of kernels of 1.5 us that start 9 us after their call begins;
# then a wait.  The one before always ends after the call began, but long before the next kernel can start: the
# 2.5 us between two are the launch, and say nothing of how soon a queue starts the next kernel, which is assumed.
# Without the time of launches a kernel and that gap of 1 us take 2.5 us and not 4: of 20 times 23 * 4 us,
# 20 * 23 * 1.5 = 690 us go at least.  Taken for gaps, the 2.5 us would leave next to nothing to be saved.
# One kernel instead of all saves all idle time between them: 20 * (9 + 23 * 2.5) us and more, some 60 %.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	t = 1000000
	for (i = 0; i < 20; i++) {
		for (k = 0; k < 24; k++) {
			n++
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", n, t, t + 4000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,k,%d,%d,%d\n", n, t + 9000, t + 10500 >kernel
			t += 4000
		}
		printf "HIP_RUNTIME_API,hipStreamSynchronize,1,1,%d,%d,%d\n", ++n, t, t + 9000 >api
		t += 10000
	}
}'
kstats whatif -f csv --columns scenario,window_ns,saved_ns,low_ns,high_ns --launch 0 . &&
	kstats findings -q -f csv --columns id,severity,saves_pct .
