# 40 times: a kernel of 100 us is launched, and then the host waits for it, which it could put off, and prepares the
# next for 60 us, while the GPU is idle.  The time in the waiting call with the GPU idle is 3 us of 168, 1.8 %, so
# that no rule about idle time in calls notices it.  Without the waits the host is done with everything in 40 * 65 us, long
# before the GPU, which then runs one kernel after the other: 39 * (168 - 101) = 2613 us of 6652 go, with a gap of
# 1 us assumed, as nothing ever queued.
#
#   launch   0 ... 5            kernel  6 ... 106       the waiting call  5 ... 108
program() {
	awk -v call="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 40; i++) {
			t = 1000000 + i * 168000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 1, t, t + 5000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i + 1, t + 6000, t + 106000 >kernel
			printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", call, 2 * i + 2, t + 5000, t + 108000 >api
		}
	}'
}
for call in hipDeviceSynchronize hipFree hipMemcpy; do
	program $call
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
done
# hipMalloc for 50 us between two kernels, with the GPU idle for all of it: 39 * 50 us of 39 * 80 + 20.  As long a call
# that copies from pageable memory by itself, loads code, builds a graph, pins memory.
for call in hipMalloc hipMallocManaged hipMemcpyAsync hipMemcpyDtoHAsync hipModuleLoadData hipGraphInstantiate hipHostMalloc; do
	awk -v call="$call" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 40; i++) {
			t = 1000000 + i * 80000
			printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", call, 2 * i + 1, t, t + 50000 >api
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 2, t + 50000, t + 55000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i + 2, t + 60000, t + 80000 >kernel
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title . | sed -n 2p
done
