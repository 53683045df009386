# 20 times, 100 us apart: a kernel of 50 us is launched in 5 us and begins 10 us after that call; the host waits for it until
# 3 us after its end, and works for 37 us.  Without the waits the host needs 43 us a time, and the GPU runs one kernel
# after the other, with a gap of 1 us assumed, as nothing ever queued: the last ends after 10 + 19 * 51 + 50 = 1029 us, and
# the last wait, which stays, after 1032 us of 1963.  Another thread asks for the state of an event every 190 us, until 1901
# us, or until 2092 us: it neither launches nor waits, so 931 us are saved in both cases.  The path leads to the end of the
# last wait, too.
make() {
	awk -v queries="$1" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 20; i++) {
			t = 1000000 + i * 100000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t, t + 5000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", n, t + 10000, t + 60000 >kernel
			printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", ++n, t + 6000, t + 63000 >api
		}
		for (i = 0; i < queries; i++) {
			t = 1000000 + i * 190000
			printf "HIP_RUNTIME_API,hipEventQuery,1,2,%d,%d,%d\n", ++n, t, t + 1000 >api
		}
	}'
	kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,saved_gpu_ns --only "no host syncs" .
	kstats path -q -f csv --columns resource,kind,total_ns .
	kstats findings -q -f csv --columns id,severity,saves_ns .
}
make 11
make 12
# A thread that loads data and that the other waits for, by a lock, does fix the end: every 500 us it allocates for 20 us, the
# other goes on 5 us after that, launches a kernel of 50 us in 5 us, and waits for it.  Without the waits it has to wait for the
# data all the same, of which the last are there after 10 * 500 + 20 us: nothing is saved of the window from 500 to 5093 us.
# With half the work between the calls of the first, these are 9 * 240 us earlier, and so is all else.
rm -f ./*.csv
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 1; i <= 10; i++) {
		t = i * 500000
		printf "HIP_RUNTIME_API,hipHostMalloc,1,2,%d,%d,%d\n", ++n, t, t + 20000 >api
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t + 25000, t + 30000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", n, t + 35000, t + 85000 >kernel
		printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", ++n, t + 30000, t + 93000 >api
	}
}'
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,saved_gpu_ns --only "no host syncs" .
kstats findings -q -f csv --columns id,severity,saves_ns .
# One that spins has made a call just before whatever the other does, and is not waited for.  20 times, 200 us apart, a kernel of
# 50 us as above, then 137 us of the host; queries every 10 us until 5000 us.  Without the waits it is 143 us a time: the last
# wait ends after 19 * 143 + 63 = 2780 us of 3863, and 19 * 57 = 1083 us are saved.
rm -f ./*.csv
awk 'BEGIN {
	api = "app_hip_api_trace.csv"
	kernel = "app_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 0; i < 20; i++) {
		t = 1000000 + i * 200000
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t, t + 5000 >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", n, t + 10000, t + 60000 >kernel
		printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", ++n, t + 6000, t + 63000 >api
	}
	for (i = 0; i < 500; i++) {
		t = 1000000 + i * 10000
		printf "HIP_RUNTIME_API,hipEventQuery,1,2,%d,%d,%d\n", ++n, t, t + 1000 >api
	}
}'
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,saved_gpu_ns --only "no host syncs" .
