# 20 times: a kernel of 100 us, a wait that returns 3 us after its end, 1 us later hipFree for 10 us, which has nothing
# left to wait for, and 44 us of the host.  Without the waits, but for the last, hipFree waits, and then frees for
# 10 us: it ends 10 us after the kernel and not 14, 19 * 4 = 76 us of it all.  Where a free went on while the GPU
# worked, it is not known that others wait: then it returns at once, and kernels follow each other, 19 * 64 us less.
trace() {
	awk -v more="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 20; i++) {
			t = 1000000 + i * 165000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 4 * i + 1, t, t + 5000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,k,%d,%d,%d\n", 4 * i + 1, t + 7000, t + 107000 >kernel
			if (more)
				printf "HIP_RUNTIME_API,hipFree,1,1,%d,%d,%d\n", 4 * i + 2, t + 8000, t + 9000 >api
			printf "HIP_RUNTIME_API,hipStreamSynchronize,1,1,%d,%d,%d\n", 4 * i + 3, t + 10000, t + 110000 >api
			printf "HIP_RUNTIME_API,hipFree,1,1,%d,%d,%d\n", 4 * i + 4, t + 111000, t + 121000 >api
		}
	}'
}
for more in '' more; do
	trace $more
	kstats whatif -q -f csv --columns window_ns,saved_ns --no-sync .
done
