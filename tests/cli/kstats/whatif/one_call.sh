# Two threads in turn, 10 times: one copies, in a call of 4 us; 8 us later the other launches a kernel of 500 us, which begins 8
# us later, and waits until 3 us after its end; 8 us after that the first works for 300 us, and copies again: 831 us a time.
# With half the kernel that is 581 us, and all of it 9 * 581 + 273 = 5502 us of 9 * 831 + 523 = 8002.  Between its only calls
# the first thread may as well have worked all the time, for 827 us: then it is 9 * 831 + 273 = 7752 us.
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	copies = "app_memory_copy_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copies
	for (i = 0; i < 10; i++) {
		t = 1000000 + i * 831000
		printf "HIP_RUNTIME_API,hipMemcpyAsync,1,2,%d,%d,%d\n", ++n, t, t + 4000 >api
		printf "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,2,Agent 0,Agent 4,%d,%d,%d\n", n, t + 5000, t + 10000 >copies
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t + 12000, t + 17000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", n, t + 20000, t + 520000 >kernel
		printf "HIP_RUNTIME_API,hipStreamSynchronize,1,1,%d,%d,%d\n", ++n, t + 18000, t + 523000 >api
	}
}'
kstats whatif -q -f csv --columns window_ns,predicted_ns,low_ns,high_ns --only "class gemm x 0.5" .
# A thread waits before one of its calls, and works before others: one launches a kernel of 500 us, waits until 3 us after its
# end, and records an event until 2 us later; 8 us after that the other makes a call, and two more, 100 us apart, and 8 us after
# the last the first goes on: 744 us a time.  With half the kernel it is 494 us, but for the first, as what the other did before
# its first call is not known: 9 * 494 + 736 = 5182 us of 9 * 744 + 736.
rm -f ./*.csv
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 10; i++) {
		t = 1000000 + i * 744000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t, t + 5000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", n, t + 20000, t + 520000 >kernel
		printf "HIP_RUNTIME_API,hipStreamSynchronize,1,1,%d,%d,%d\n", ++n, t + 6000, t + 523000 >api
		printf "HIP_RUNTIME_API,hipEventRecord,1,1,%d,%d,%d\n", ++n, t + 524000, t + 525000 >api
		printf "HIP_RUNTIME_API,hipGetDevice,1,2,%d,%d,%d\n", ++n, t + 533000, t + 534000 >api
		printf "HIP_RUNTIME_API,hipSetDevice,1,2,%d,%d,%d\n", ++n, t + 634000, t + 635000 >api
		printf "HIP_RUNTIME_API,hipGetLastError,1,2,%d,%d,%d\n", ++n, t + 735000, t + 736000 >api
	}
}'
kstats whatif -q -f csv --columns window_ns,predicted_ns --only "class gemm x 0.5" .
