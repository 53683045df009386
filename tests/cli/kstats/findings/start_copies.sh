# A blocking copy takes 300 us, of which the copy itself 100 from 5 us on; 5 us later a kernel of 100 us is launched, which begins
# 5 us after that, and when it has ended the host goes on.  With 10 copies before the first kernel and none later, the GPU is
# idle in copies for 10 * 195 + 9 * 5 us, all of it before the first kernel: a longer run has no more.  With one before each of 10
# kernels it is 9 * 200 us after the first kernel, too.  (Without waits, the host is ahead when the first kernel begins: of the
# 9 gaps of 10 us between kernels 1 us is left each, which saves 81 us.)
run() {
	awk -v each="$1" -v call="$2" '
		function copy() {
			printf "HIP_RUNTIME_API,%s,1,1,%d,%d,%d\n", call, ++n, t, t + 300000 >api
			printf "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,1,Agent 0,Agent 4,%d,%d,%d\n", n, t + 5000, t + 105000 >copies
			t += 300000
		}
		BEGIN {
			api = "app_hip_api_trace.csv"
			kernel = "app_kernel_trace.csv"
			copies = "app_memory_copy_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Stream_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			print "Kind,Direction,Stream_Id,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >copies
			for (t = 10000; n < 10; )
				copy()
			for (i = 0; i < 10; i++) {
				if (i && each)
					copy()
				printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", ++n, t + 5000, t + 8000 >api
				printf "KERNEL_DISPATCH,Agent 4,1,1,Cijk_a,%d,%d,%d\n", n, t + 10000, t + 110000 >kernel
				t += 110000
			}
		}'
	kstats sync --kinds -q -f csv --columns kind,idle_ns,later_idle_ns . | grep copy
	kstats gaps --by call -q -f csv --columns host_call,idle_ns,later_idle_ns . | grep Memcpy
	kstats findings -q -f csv --columns id,severity,saves_ns,title .
}
run 0 hipMemcpy
run 1 hipMemcpy
# From the second copy on, as somebody chose: all of what is left counts.
kstats sync --kinds -q -f csv -w 5%.. --columns kind,idle_ns,later_idle_ns . | grep copy
kstats gaps --by call -q -f csv -w 5%.. --columns host_call,idle_ns,later_idle_ns . | grep Memcpy
# The same of totals.
tracemerge -q --stats-only -o all.db . && kstats sync --kinds -q -f csv --columns kind,idle_ns,later_idle_ns all.db | grep copy
# Calls that copy from pageable memory take as long.
rm all.db
run 0 hipMemcpyAsync
run 1 hipMemcpyAsync
