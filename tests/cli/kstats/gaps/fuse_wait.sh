# Five times: a, b and c of 2 us with 1 us between them, then the host waits for 4 us after c.  a always follows c, but
# the host may have decided on it: a run is a, b, c, with 2 us of gaps, 10 in all, and never goes on to the next a.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 5; i++) {
		t = 1000000 + i * 20000
		for (k = 0; k < 3; k++) {
			c = 4 * i + k + 1
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", c, t + k * 1000, t + k * 1000 + 1000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,%c,%d,%d,%d\n", 97 + k, c, t + 4000 + k * 3000, t + 6000 + k * 3000 >kernel
		}
		printf "HIP_RUNTIME_API,hipStreamSynchronize,1,1,%d,%d,%d\n", 4 * i + 4, t + 3000, t + 16000 >api
	}
}'
kstats gaps --fuse -f csv -q .
