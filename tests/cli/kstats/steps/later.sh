# 20 steps of one kernel each, 10 of 100 us and 10 of 150 us: those of the second half take 50 % longer, 500 us in all.
# Of 19 steps nothing is said, nor where later ones are faster.
later() {
	awk -v n="$1" -v first="$2" -v second="$3" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		marker = "app_marker_api_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >marker
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		t = 1000000
		for (i = 1; i <= n; i++) {
			d = i <= 10 ? first : second
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i, t, t + 4000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i, t + 5000, t + d - 5000 >kernel
			printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", 2 * i + 1, t + 4000, t + d - 2000 >api
			printf "MARKER_CORE_RANGE_API,step,1,1,%d,%d,%d\n", 1000 + i, t, t + d - 1000 >marker
			t += d
		}
	}'
	kstats steps --total -q -f csv --columns steps,median_ns,later_ns,later_pct .
	kstats findings -q -f csv --columns id,severity,saves_ns,title . | grep later-steps
}
later 20 101000 151000
later 19 101000 151000
later 20 151000 101000
true
