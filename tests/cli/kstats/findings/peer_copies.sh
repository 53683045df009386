# 20 times, 100 us apart: GPU 4 computes for 98 of 100 us, and sends what its first kernel of 30 us made to GPU 5, beside
# the second; the copy is launched 38 us before that kernel ends, begins 5 us later and takes 25 us.  GPU 5 is another
# process's: nothing but copies is known of it, which wait for what they are to copy, and neither that nor its idle time
# costs anything.  With a kernel of 2 us each time on it, GPU 5 computes 2 us for 98 of the other: (98 + 2) / (2 * 98) =
# 0.51, and what is above the mean of 1000 us is 960 us; and it is late: of 19 gaps of 72 us each was 43 us after the launch
# of the copy that follows: 18 * 43 = 774 us, as the longest does not count, of 19 * 100 + 28 = 1928 us.
halo() {
	awk -v kernels="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		copy = "app_memory_copy_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copy
		for (i = 0; i < 20; i++) {
			t = 1000000 + i * 100000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t, t + 1000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", n, t + 10000, t + 40000 >kernel
			printf "HIP_RUNTIME_API,hipMemcpyPeerAsync,1,1,%d,%d,%d\n", ++n, t + 1000, t + 2000 >api
			printf "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_DEVICE,2,Agent 4,Agent 5,%d,%d,%d\n", n, t + 45000, t + 70000 >copy
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t + 2000, t + 3000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_b,%d,%d,%d\n", n, t + 41000, t + 109000 >kernel
			if (!kernels)
				continue
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t + 3000, t + 4000 >api
			printf "KERNEL_DISPATCH,Agent 5,3,3,Cijk_c,%d,%d,%d\n", n, t + 71000, t + 73000 >kernel
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
	kstats gaps -q -f csv --columns agent,idle_ns,latency_ns,late_ns,late_pct .
}
halo 0
halo 1
