# Each pass lost dispatches of its own: the first 2, the second 3 and 6.  Most are in both, so that they are passes of one run, and the
# metric is of 1, 4 and 5: 100 (1 + 4 + 5) / (1 + 4 + 5 + 3 * 2) = 62.5 %.  Calls are those of the pass that timed most.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
counted() { # FILE COUNTER, then ID VALUE
	f=$1 c=$2; shift 2
	mkdir -p "${f%/*}"
	echo "$head" >"$f"
	while [ $# -gt 0 ]; do
		echo "$1,$1,2,1,7,7,256,1,\"k\",64,0,0,8,0,16,\"$c\",$2,${1}000,${1}100" >>"$f"
		shift 2
	done
}
counted most/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 3 3 4 4 5 5 6 6
counted most/pass_2/a_counter_collection.csv TCC_MISS_sum 1 2 2 2 4 2 5 2
kstats counters -f csv --columns counter,dispatches,sum,mean,note most || exit
kstats top -q -f csv --columns name,calls,total_ns most || exit
tracemerge -q -o most.db most && kstats counters -q -f csv most.db >db && kstats counters -q -f csv most | cmp - db || exit
# Half of them are not most: two runs.
counted half/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 2 2 3 3 4 4 5 5
counted half/pass_2/a_counter_collection.csv TCC_MISS_sum 3 2 4 2 6 2 7 2
kstats counters -f csv --columns counter,dispatches,sum,mean,note half
