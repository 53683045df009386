# 100 kernels of 20 us, 2 us after one another, launched every 5 us; then the host waits for all of them, with the GPU
# idle for 7 % of the time between kernels that were all launched.  The wait is not why: nothing is found.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 100; i++) {
		t = 1000000 + i * 5000
		gpu = 1006000 + i * 22000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i + 1, t, t + 4000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", i + 1, gpu, gpu + 20000 >kernel
	}
	printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,101,%d,%d\n", t + 5000, gpu + 25000 >api
}'
kstats findings -q -f csv --columns id,severity,saves_ns,title .
