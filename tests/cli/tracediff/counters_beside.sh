# Six repeats of two kernels of 100 us, the last of which does not count.  B was recorded with counters, which keeps
# kernels 30 us apart instead of 2: a step takes 260 us for 204, slower, and a note says why.
trace() { # FOLDER GAP-NS
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
			from=$((i * (100000 + $2) + i % 3))
			echo "KERNEL_DISPATCH,Agent 1,k$((i % 2)),$i,$from,$((from + 100000))"
		done
	} >"$1/app_kernel_trace.csv"
}
trace a 2000
trace b 30000
{
	echo Correlation_Id,Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp
	awk -F, 'NR > 1 { print $4 "," $4 "," $2 "," $3 ",SQ_WAVES,64," $5 "," $6 }' b/app_kernel_trace.csv
} >b/app_counter_collection.csv
tracediff a b 2>&1 | grep -E 'one at a time|^verdict'
