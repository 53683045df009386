# 40 kernels of 100 us of one name, launched in 5 us each, one call after the other; but the 21st call takes 3000 us: it
# waits for a lock, or makes room for registers in memory.  The GPU runs one kernel after the other, 1 us apart, from
# 6 us on, and is through with 20 of them at 2025 us; the next begins at 3101 us, after its call.  Without calls it would
# run on: 40 * 100 + 39 us of 5114 us, 1075 us less.  The call was under way long before the kernel before it ended, and
# yet that is not what its kernel waited for.
# A graph whose kernel begins at 2800 us and ends before its call returns, with the next at 3106 us: 979 us of 5018 us.
launch() {
	awk -v call="$1" -v begins="$2" -v then="$3" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		t = 1000000
		for (i = 0; i < 40; i++) {
			c = i <= 20 ? i * 5 : 3100 + (i - 21) * 5
			k = i < 20 ? 6 + 101 * i : i == 20 ? begins : then + 101 * (i - 21)
			printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", call, i + 1, t + c * 1000, t + (c + (i == 20 ? 3000 : 5)) * 1000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", i + 1, t + k * 1000, t + (k + 100) * 1000 >kernel
		}
	}'
	kstats whatif -q -f csv --columns scenario,saved_gpu_ns --only "$4" .
}
launch hipLaunchKernel 3101 3202 "launches free"
launch hipGraphLaunch 2800 3106 "graph launches free"
