# A percentile over the occurrences of a region: of 100 ranges "forward" of 1 ms one takes 3 ms and one 9 ms, so that the
# 99th of them in order takes 3 ms.  Each launches a kernel of 10 us, the last one of 50 us: its p99 is 10 us.
{
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq 100); do
		at=$((i * 10000000))
		case $i in 40) ms=3 ;; 41) ms=9 ;; *) ms=1 ;; esac
		echo "MARKER_CORE_RANGE_API,forward,1,10,$((1000 + i)),$at,$((at + ms * 1000000))"
	done
} >m_marker_api_trace.csv
{
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq 100); do
		echo "HIP_RUNTIME_API,hipLaunchKernel,1,10,$i,$((i * 10000000 + 100)),$((i * 10000000 + 200))"
	done
} >m_hip_api_trace.csv
{
	echo Kind,Agent_Id,Queue_Id,Thread_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	for i in $(seq 100); do
		[ "$i" -lt 100 ] && us=10 || us=50
		echo "KERNEL_DISPATCH,Agent 4,1,10,k,$i,$((i * 10000000 + 9000)),$((i * 10000000 + 9000 + us * 1000))"
	done
} >m_kernel_trace.csv
tracemerge -q -o run.db . || exit
for run in . run.db; do
	tracecheck -q -f csv --columns verdict,value,bound,rule --rule 'regions["forward"].p99_ms < 12' \
		--rule 'regions[forward].p99_ms <= 2.9' --rule 'regions[forward].p50_ms == 1' --rule 'regions[forward].gpu_p99_us == 10' \
		--rule 'regions[forward].gpu_total_us == 1040' $run
done
# A rule for all regions is not about what is in none, which has no percentile; it is where it is asked for.
tracecheck -q -f csv --columns verdict,value,rows,rule --rule 'regions.p50_ms == 1' --rule 'regions.gpu_total_ns < 2000000' \
	--rule 'regions["(unattributed)"].p50_ms == 1' run.db
