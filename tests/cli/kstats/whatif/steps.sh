# The steps are those of a marker on thread 8, which computes for 80 us in each: half of that with half of the host.
# Thread 7 launches; its own gaps are of no account.
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,7,$i,1,\"k\",$i,${i}8000,${i}9000"
	done
} >a_kernel_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",1,7,$i,${i}0000,${i}5000"
	done
	for i in 0 90000 180000 270000; do
		echo "\"HIP_RUNTIME_API\",\"hipGetDevice\",1,8,$((100 + i)),$i,$((i + 10000))"
	done
} >a_hip_api_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3; do
		echo "\"MARKER_CORE_RANGE_API\",\"step $i\",1,8,$((200 + i)),$((i * 90000 - 80000)),$((i * 90000))"
	done
} >a_marker_api_trace.csv
kstats whatif -q -f csv --host 0.5 --steps --columns step,recorded_ns,predicted_ns a_*.csv
