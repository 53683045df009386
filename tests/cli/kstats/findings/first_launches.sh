# Three kernels of 400 us take turns, 40 times.  Calls take 5 us, the kernel starts 1 us after its call or 1 us after the
# kernel before; the first launch of each kernel takes 2005 us, as it loads the code: the second and third kernel
# start 2005 us after the one before and not 401.  These 2 * 1604 us of 2 * 2005 + 117 * 401 + 400 = 51327 us are lost,
# 6.3 %, and no launch takes them but the first: what is left for fewer launches to save is nothing.
program() { # NS that a kernel takes
	awk -v ns="$1" 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	t = 1000000
	for (i = 0; i < 120; i++) {
		a = t
		t += i < 3 ? 2005000 : 5000
		s = t + 1000 > end + 1000 ? t + 1000 : end + 1000
		end = s + ns
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i + 1, a, t >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_%d,%d,%d,%d\n", i % 3, i + 1, s, end >kernel
	}
}'
	kstats whatif -q -f csv --columns scenario,saved_gpu_ns --only 'launches free;first launches usual' .
	kstats findings -q -f csv --columns id,severity,saves_ns,title . | grep -v slow-steps
}
program 400000
# Of 1 us each starts 5 us after the one before, but for the same two 2005 us after it: of 2 * 2005 + 117 * 5 + 1 = 4596 us
# first launches lose 2 * 2000, and calls that take no time would leave 2 us from one to the next, gap and kernel: 119 * 2 + 1.
# What is left without the first ones, 4357 - 4000, is 7.8 %, so launches save what they save together.
program 1000
