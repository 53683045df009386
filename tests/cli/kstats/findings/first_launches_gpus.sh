# Each GPU has to load a kernel.  One process launches 60 kernels of 400 us on one GPU and 60 on another, of three names that
# take turns; calls take 5 us, and the first of each name on each GPU 2005 us.  A kernel starts 1 us after its call or the kernel
# before.  Recorded, from 2006 us on, when the first starts: the last call that loads ends at 6300 + 3 * 2005 = 12315, and
# 58 kernels end 57 * 401 + 400 after 12316, at 35573 us.  If all calls took 5 us, the first would start at 6, the 61st at
# 306, and the last end 59 * 401 + 400 later, at 24365.  So they save 35573 - 2006 - (24365 - 6) = 9208 us; fewer
# launches save the 60 calls before the second GPU begins, 300 us.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 120; i++) {
		if (i % 60 == 0)
			end = 0
		a = t
		t += i % 60 < 3 ? 2005000 : 5000
		s = t + 1000 > end + 1000 ? t + 1000 : end + 1000
		end = s + 400000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i + 1, 1e6 + a, 1e6 + t >api
		printf "KERNEL_DISPATCH,Agent %d,1,Cijk_%d,%d,%d,%d\n", i < 60 ? 4 : 5, i % 3, i + 1, 1e6 + s, 1e6 + end >kernel
	}
}'
kstats whatif -q -f csv --columns scenario,saved_gpu_ns --only 'first launches usual' .
kstats findings -q -f csv --columns id,severity,saves_ns . | grep launch
