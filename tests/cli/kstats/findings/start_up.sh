# 10 copies of 10 us, 1 us apart, then 10 kernels of 80 us, 1 us apart: the first begins after 110 of 110 + 809 = 919 us,
# 12.0 %, and no copy is later.  With one of 10 us and 1 us more before each other kernel: 9 * 10 us later, of 919 + 9 * 11 =
# 1018 us, 8.8 %, which is what hiding copies on another stream would save in a longer run, too.  After 100 copies instead,
# 1100 of 1100 + 809 = 1909 us, 57.6 %, are most of the time.  If the host takes 100 us before each of the 10 copies, it is 1010
# us of 1819, 55.5 %, and no host work either that costs time in a longer run.  All else was launched long before.
run() {
	awk -v first="$1" -v each="$2" -v host="$3" '
		function copy(  at) {
			at = host && n < first ? t - 5000 : 1000 * n
			printf "HIP_RUNTIME_API,hipMemcpyAsync,1,1,%d,%d,%d\n", ++n, at, at + 500 >api
			printf "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,1,Agent 0,Agent 4,%d,%d,%d\n", n, t, t + 10000 >copies
			t += host && n < first ? host : 11000
		}
		BEGIN {
			api = "app_hip_api_trace.csv"
			kernel = "app_kernel_trace.csv"
			copies = "app_memory_copy_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copies
			t = 10000
			for (i = 0; i < first; i++)
				copy()
			for (i = 0; i < 10; i++) {
				if (i && each)
					copy()
				printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, 1000 * n, 1000 * n + 500 >api
				printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", n, t, t + 80000 >kernel
				t += 81000
			}
		}'
	kstats timeline -q -f csv --columns window_ns,exposed_copy_ns,before_ns,before_pct,later_copy_ns .
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
}
run 10 0 0
run 10 1 0
run 100 0 0
run 10 0 111000
# From the second copy on, as somebody chose: that is not the start of the program, and the other 9 copies are as later ones.
kstats timeline -q -f csv -w 5%.. --columns before_ns,later_copy_ns .
# The same of totals.
tracemerge -q --stats-only -o all.db . && kstats findings -q -f csv --columns id,severity,saves_ns,title all.db
