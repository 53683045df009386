# Two GPUs of one process, all launched at once.  One runs 10 kernels of 80 us, 1 us apart: 809 us.  The other copies for 10 us,
# and begins its 5 kernels of 80 us after 400 us: 400 of 804 us, 49.8 %, are before its first kernel.  With the copies of both
# so long, it is about both.
run() {
	awk -v first="$1" '
		BEGIN {
			api = "app_hip_api_trace.csv"
			kernel = "app_kernel_trace.csv"
			copies = "app_memory_copy_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copies
			for (gpu = 4; gpu <= 5; gpu++) {
				t = 100000
				printf "HIP_RUNTIME_API,hipMemcpyAsync,1,1,%d,%d,%d\n", ++n, 1000 * n, 1000 * n + 500 >api
				printf "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,%d,Agent 0,Agent %d,%d,%d,%d\n", gpu, gpu, n, t, t + 10000 >copies
				t += gpu == 5 ? 400000 : first
				for (i = 0; i < (gpu == 5 ? 5 : 10); i++) {
					printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, 1000 * n, 1000 * n + 500 >api
					printf "KERNEL_DISPATCH,Agent %d,%d,%d,Cijk_a,%d,%d,%d\n", gpu, gpu, gpu, n, t, t + 80000 >kernel
					t += 81000
				}
			}
		}'
	kstats findings -q -f csv --columns id,title . | grep start-up
}
run 11000
run 800000
