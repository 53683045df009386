# Run again under the same name, without calls: the new kernels lie next to the calls of the execution before.  The launches
# begin at 3.0 and 3.1 s, the kernels at 13.2 s, which is 10.1 s after the last launch, so the ids that join them mean
# nothing: an error of all that joins kernels with calls, and no table nor report; the kernels alone are what they are, 100 +
# 200 ns.  So it is where they ran at 0.1 s, 2.9 s before the first launch.  A kernel that waits for 10 s (13.1 s) belongs to
# its launch: 10.1 s and 10 s after the calls of 100 ns begin, the second kernel 10000 ns later, on average 10050004900 ns
# after their ends.  Calls that launch nothing say nothing: 10000 - 100 ns are idle.  Nor do fills of the runtime, which no
# launch is for.
kernels() { # START
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\nKERNEL_DISPATCH,4,k,1,%d00000000,%d00000100\nKERNEL_DISPATCH,4,k,2,%d00010000,%d00010200\n' \
		"$1" "$1" "$1" "$1" >app_kernel_trace.csv
}
calls() { # NAME
	printf 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nHIP_RUNTIME_API,%s,7,7,1,3000000000,3000000100\nHIP_RUNTIME_API,%s,7,7,2,3100000000,3100000100\n' \
		"$1" "$1" >app_hip_api_trace.csv
}
calls hipLaunchKernel && kernels 132
kstats launch -f csv --columns name,calls,queue_avg_ns .; echo "launch $?"
kstats gaps -q -f csv --columns idle_ns .; echo "gaps $?"
kstats top -f csv --columns name,calls,total_ns .; echo "top $?"
tracemerge -q -o run.db .; echo "tracemerge $?"; rm -f run.db
kstats summary -q .; echo "summary $?"
tracereport -q -o r.html .; echo "report $?"; [ -e r.html ] || echo none
kernels 1 && kstats launch -f csv --columns name,calls,queue_avg_ns .; echo "before $?"
kernels 131 && kstats launch -f csv --columns name,calls,queue_avg_ns .; echo "waits $?"
calls hipMalloc && kernels 132 && kstats gaps -q -f csv --columns idle_ns .
calls hipLaunchKernel && kernels 1 && sed -i 's/,k,/,__amd_rocclr_fillBufferAligned,/' app_kernel_trace.csv && kstats gaps -q -f csv --columns idle_ns .
# A database of one GPU, whose one kernel ran at 0.1 s, before the launches that are recorded; those of the other are not there.
kernels 31 && printf 'KERNEL_DISPATCH,5,k,0,100000000,100000100\n' >>app_kernel_trace.csv
kstats launch -q -f csv --columns name,calls,queue_avg_ns .; echo "both $?"
tracemerge -q --agent 5 -o one.db . && kstats gaps -q -f csv --columns agent,idle_ns one.db; echo "one $?"
