# 40 times: a kernel of 100 us is launched, hipMemcpy waits for it, hipFree has nothing to wait for any more, and the
# host works for 60 us.  Without the copy the host would wait in hipFree, without that in the copy: neither saves more
# than what it takes, 3 us.  Without both the GPU runs one kernel after the other, with a gap of 1 us assumed:
# 39 * (171 - 101) = 2730 us of 39 * 171 + 100 = 6769 us, 40.3 %.
#
#   launch   0 ... 5       kernel  6 ... 106       hipMemcpy  5 ... 108       hipFree  108 ... 111
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 40; i++) {
		t = 1000000 + i * 171000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 3 * i + 1, t, t + 5000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 3 * i + 1, t + 6000, t + 106000 >kernel
		printf "HIP_RUNTIME_API,hipMemcpy,1,1,%d,%d,%d\n", 3 * i + 2, t + 5000, t + 108000 >api
		printf "HIP_RUNTIME_API,hipFree,1,1,%d,%d,%d\n", 3 * i + 3, t + 108000, t + 111000 >api
	}
}'
kstats findings -q -f csv --columns id,severity,saves_ns,title .
