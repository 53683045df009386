# hipMemcpy of which the first takes 100 ms until its copy begins, as the runtime has to be there; then 20 times
# 3 us until the copy of 2 us begins, behind a kernel that has ended, and 3 us until it returns.  Copies that are not
# waited for save these 8 us of each call, some 0.17 ms in all, and 160 us after the first kernel; the 100 ms stay.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	copy = "app_memory_copy_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copy
	t = 1000000
	for (i = 0; i <= 20; i++) {
		late = i ? 3000 : 100000000
		printf "HIP_RUNTIME_API,hipMemcpy,1,1,%d,%d,%d\n", 2 * i + 1, t, t + late + 5000 >api
		printf "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,0,Agent 0,Agent 4,%d,%d,%d\n", 2 * i + 1, t + late, t + late + 2000 >copy
		t += late + 10000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 2, t, t + 4000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,k,%d,%d,%d\n", 2 * i + 2, t + 6000, t + 16000 >kernel
		t += 50000
	}
}'
# The first copy is submitted when the runtime is there, whatever is usual.  Of copies of no known stream the usual latency is
# that of kernels, 6 us: 20 * 3 us of 101.286 ms too long, 0.0592 %.
kstats whatif -q -f csv --columns window_ns,saved_ns,saved_gpu_ns,model_error_pct --no-sync-of hipMemcpy .
