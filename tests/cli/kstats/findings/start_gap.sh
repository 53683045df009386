# A fill of 500 us, 5 ms until the first kernel of 200 us, and 1 ms until another: the longest gap is 5 of 6.9 ms, 72.5 %,
# which is the finding, for a user sees it first; of the later ones it is 1 ms.  With another kernel in
# place of the fill, all gaps are later.
run() {
	cat >app_hip_api_trace.csv <<-F
		Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
		HIP_RUNTIME_API,hipLaunchKernel,1,1,1,95000,100000
		HIP_RUNTIME_API,hipLaunchKernel,1,1,2,5595000,5600000
		HIP_RUNTIME_API,hipLaunchKernel,1,1,3,6795000,6800000
	F
	cat >app_kernel_trace.csv <<-F
		Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		KERNEL_DISPATCH,Agent 4,1,$1,1,100000,600000
		KERNEL_DISPATCH,Agent 4,1,Cijk_a,2,5600000,5800000
		KERNEL_DISPATCH,Agent 4,1,Cijk_a,3,6800000,7000000
	F
	[ "$2" ] || rm app_hip_api_trace.csv
	kstats gaps -q -f csv --columns max_ns,later_max_ns .
	kstats findings -q -f csv --columns id,severity,saves_ns,title . | grep long-gap
}
run __amd_rocclr_fillBufferAligned calls
run Cijk_a calls
run __amd_rocclr_fillBufferAligned ''
kstats gaps -q -f csv -w 0.01ms.. --columns max_ns,later_max_ns .
tracemerge -q --stats-only -o all.db . && kstats gaps -q -f csv --columns max_ns,later_max_ns all.db
