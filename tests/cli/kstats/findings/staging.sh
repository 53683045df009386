# 40 times, 190 us apart: a kernel of 100 us is launched in 5 us, then a copy of 20 us from the device on the same
# stream, which begins 1 us after the kernel.  The call returns 3 us after that, at 130 us, as memory is pageable, and
# the host works for 60 us.  Had the call returned at once, as its name says, the host would need 65 us a time, and the
# GPU 100 + 1 + 20 + 1 us: 39 * (190 - 122) = 2652 us of 39 * 190 + 121 = 7531 us are lost by it, 35.2 %.
# Where the call returns after 9 us and the host works for 181 us, the host is late, and no copy blocks it.
copy() {
	awk -v call="$1" -v end="$2" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		copy = "app_memory_copy_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copy
		for (i = 0; i < 40; i++) {
			t = 1000000 + i * 190000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", 2 * i + 1, t, t + 5000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", 2 * i + 1, t + 6000, t + 106000 >kernel
			printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", call, 2 * i + 2, t + 5000, t + end >api
			printf "MEMORY_COPY,DEVICE_TO_HOST,1,Agent 4,Agent 0,%d,%d,%d\n", 2 * i + 2, t + 107000, t + 127000 >copy
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
}
copy hipMemcpyAsync 130000
kstats whatif -q -f csv --columns scenario,predicted_ns,low_ns,high_ns --only "no blocking async copies" .
copy hipMemcpyDtoHAsync 130000
copy hipMemcpyAsync 14000
