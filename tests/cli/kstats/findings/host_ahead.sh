# Ten marked steps: the host launches a kernel of 1 ms in 20 us and goes on, and waits for all of them in the last,
# which takes 9.812 ms more than the others.  The GPU is never idle: no time could be saved, though the last step is
# slow.  In the second trace the tenth kernel takes 6 ms, alone in its step, where the host waits in each step: there
# the GPU lost 5 ms.
trace() {
	awk -v ahead="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		marker = "app_marker_api_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >marker
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		t = gpu = 1000000
		for (i = 1; i <= 10; i++) {
			begin = t
			long = !ahead && i == 10 ? 6000000 : 1000000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 3 * i, t, t + 10000 >api
			gpu = gpu > t + 11000 ? gpu : t + 11000
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 3 * i, gpu, gpu + long >kernel
			gpu += long
			t += 20000
			if (!ahead || i == 10) {
				printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", 3 * i + 1, t, gpu + 1000 >api
				t = gpu + 1000
			}
			printf "MARKER_CORE_RANGE_API,step,1,1,%d,%d,%d\n", 3 * i + 2, begin, t >marker
		}
	}'
}
for ahead in 1 ''; do
	trace $ahead
	kstats steps --total -q -f csv --columns steps,median_ns,slow,over_ns,over_gpu_ns .
	kstats findings -q -f csv --columns id,severity,saves_ns . | grep slow
done
