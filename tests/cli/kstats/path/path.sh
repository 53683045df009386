# The pieces of the path are adjacent and fill the window: 225000 ns.  By hand: six times a call of 5 us, a
# launch of 4, a kernel of 20 and a return of 6, and five gaps of 3.  The gap before kernel d is named by the
# innermost range that is open in its middle; what a launch takes beyond the usual 4 us is unexplained.
d=$TESTDATA/rocprofv3/7.0/sync_each
kstats path -q -f csv "$d" || exit
kstats path -q --list -f csv "$d" || exit
kstats path -q --name base "$d" || exit
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for at in 9 49 89 189; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,10,$i,1,\"k$i\",$i,${at}000,$((at + 20))000"
	done
} >m_kernel_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for at in 0 40 80 120; do
		i=$((i + 1))
		echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,10,$i,${at}000,$((at + 5))000"
	done
} >m_hip_api_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"MARKER_CORE_RANGE_API","outer",1,10,90,1000,119000'
	echo '"MARKER_CORE_RANGE_API","inner 7",1,10,91,86000,118000'
} >m_marker_api_trace.csv
kstats path -f csv --list m_kernel_trace.csv m_hip_api_trace.csv m_marker_api_trace.csv
