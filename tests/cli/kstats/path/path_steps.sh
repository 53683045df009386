# The repeats of two kernels in sync_each are steps of 76 us, from launch to launch of the first: two kernels of 20 us,
# two returns of 6, two calls of 5, two launches of 4 and two gaps of 3.  What is in each is where the path was then, and
# the window of 225 us is all rows together.
d=$TESTDATA/rocprofv3/7.0/sync_each
kstats path -q --steps -f csv "$d" || exit
kstats path -q --steps --columns step,median,kind,total,pct "$d" || exit
# Marked: a step of 58 us, which begins and ends inside pieces of the host; one of no length, which has no rows; and one that
# goes on behind the end of the trace, of which 21 us are inside.  The median of 0, 21 and 58 is 21.
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for at in 9 49 89; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,1,10,$i,1,\"k$i\",$i,${at}000,$((at + 20))000"
	done
} >m_kernel_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	i=0
	for at in 0 40 80; do
		i=$((i + 1))
		echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,10,$i,${at}000,$((at + 5))000"
	done
} >m_hip_api_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"MARKER_CORE_RANGE_API","step 1",1,10,91,2000,60000'
	echo '"MARKER_CORE_RANGE_API","step 2",1,10,92,70000,70000'
	echo '"MARKER_CORE_RANGE_API","step 3",1,10,93,88000,500000'
} >m_marker_api_trace.csv
kstats path -q -f csv --steps m_kernel_trace.csv m_hip_api_trace.csv m_marker_api_trace.csv
kstats path -q -f csv --list m_kernel_trace.csv m_hip_api_trace.csv m_marker_api_trace.csv
kstats path --steps m_kernel_trace.csv
