# 60 kernels of 8 us start 6 us after their calls of 4 us, one call every 35 us.  Of the 27 us between two kernels the
# host is at work for 17, the call takes 4, and the kernel is launched and does not start for 6: it waits for nothing
# but its launch, however long the gaps are, so this is not a finding of its own.  Then all kernels start 20 us
# later: for 26 of the 27 us they are launched and wait for something else, 58 * 26 = 1508 us without the longest gap.
program() {
	awk -v late="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 60; i++) {
			t = 1000000 + i * 35000
			s = t + 10000 + late * 1000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i + 1, t, t + 4000 >api
			printf "KERNEL_DISPATCH,Agent 4,%d,Cijk_a,%d,%d,%d\n", 1 + i % 2, i + 1, s, s + 8000 >kernel
		}
	}'
}
for late in 0 20; do
	program $late
	kstats gaps -q -f csv --columns gaps,p50_ns,device_ns,latency_ns,late_ns .
	kstats findings -q -f csv --columns id,severity,saves_ns .
done
