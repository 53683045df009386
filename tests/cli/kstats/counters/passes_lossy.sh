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
# However many were lost: 3 and 4 are in both, under the same kernel.  100 (3 + 4) / (3 + 4 + 2 * 2) = 63.6364 %.
counted half/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 2 2 3 3 4 4 5 5
counted half/pass_2/a_counter_collection.csv TCC_MISS_sum 3 2 4 2 6 2 7 2
kstats counters -q -f csv --columns counter,dispatches,sum,mean,note half || exit
kstats top -q -f csv --columns name,calls,total_ns half || exit
# One of ten is left in both.
counted one/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 2 2 3 3 4 4 5 5
counted one/pass_2/a_counter_collection.csv TCC_MISS_sum 5 2 6 2 7 2 8 2 9 2
kstats top -q -f csv --columns name,calls,total_ns one || exit
# Another program: 3 is another kernel, or has another size, in the second; and nothing in common at all.
for other in 's/"k"/"j"/' 's/,256,1,/,512,1,/'; do
	counted two/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 2 2 3 3 4 4 5 5
	counted two/pass_2/a_counter_collection.csv TCC_MISS_sum 3 2 4 2 6 2 7 2
	sed -e "/^3,/$other" -e 's/\([0-9]*\)\(...\),\([0-9]*\)$/9\1\2,9\3/' two/pass_2/a_counter_collection.csv >two/b
	mv two/b two/pass_2/a_counter_collection.csv
	kstats top -q -f csv --columns name,calls,total_ns two || exit
done
counted none/pass_1/a_counter_collection.csv TCC_HIT_sum 1 1 2 2 3 3
counted none/pass_2/a_counter_collection.csv TCC_MISS_sum 5 2 6 2
kstats top -q -f csv --columns name,calls,total_ns none
