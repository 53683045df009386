# 40 times, 155 us apart: a kernel of 100 us is launched in 5 us, the host asks after 10 us and then every 10 us until
# 112 us whether it is done, and works for 43 us.  Without asking, the host needs 53 us a time, and the GPU runs one
# kernel after the other, with a gap of 1 us assumed, as nothing ever queued: 39 * (155 - 101) = 2106 us of
# 39 * 155 + 100 = 6145 us are lost by it, 34.3 %.  Of the 55 us of idle time each time the host worked in 43.
# Half of the host's work saves 39 * 21.5 us: what it does while it asks is waiting.
# Asked every 120 us, once each time, nothing is lost but the call: 2 us each time but the last, 78 us, a note.
poll() {
	awk -v every="$1" -v last="$2" 'BEGIN {
		api = "app_hip_api_trace.csv"
		kernel = "app_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
		for (i = 0; i < 40; i++) {
			t = 1000000 + i * 155000
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t, t + 5000 >api
			printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", n, t + 6000, t + 106000 >kernel
			for (k = every; k <= last; k += every)
				printf "HIP_RUNTIME_API,hipEventQuery,1,1,%d,%d,%d\n", ++n, t + k, t + k + 2000 >api
		}
	}'
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
	kstats whatif -q -f csv --columns scenario,predicted_ns,low_ns,high_ns --only "polling free" .
}
poll 10000 110000
poll 120000 120000
