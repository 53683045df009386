# Windows by step: those of regions --steps, whose numbers stay; kernels 3 to 5 of five, one in each step.
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3 4 5; do
		echo "\"MARKER_CORE_RANGE_API\",\"ProfilerStep#$i\",1,10,10$i,${i}000,${i}900"
	done
} >m_marker_api_trace.csv
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3 4 5; do
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,$i,1,\"k$i\",$i,${i}500,${i}600"
	done
} >m_kernel_trace.csv
for w in 3..5 4 ..2 4.. 9; do
	kstats top -q -f csv --columns name,calls -s name -w "step:$w" .
	echo "$w: $?"
done
kstats regions --steps -f csv --columns step,start_ns,window_ns,kernels -w step:2..3 .
