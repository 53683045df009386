# A table with a row for each counter, cut between the rows of dispatch 2: both parts have that dispatch, which would count
# twice, with half of its counters each.  Cut between dispatches, the parts share none and are read.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
counted() { # FILE, then ID KERNEL COUNTER VALUE START END
	f=$1; shift
	mkdir -p "${f%/*}"
	echo "$head" >"$f"
	while [ $# -gt 0 ]; do
		echo "$1,$1,2,1,7,7,256,1,\"$2\",64,0,0,8,0,16,\"$3\",$4,$5,$6" >>"$f"
		shift 6
	done
}
counted p/a_counter_collection.csv 1 k SQ_WAVES 4 100 200 1 k SQ_INSTS_VALU 8 100 200 2 k SQ_WAVES 4 300 400
counted p/b_counter_collection.csv 2 k SQ_INSTS_VALU 8 300 400 3 k SQ_WAVES 4 500 600 3 k SQ_INSTS_VALU 8 500 600
for c in top counters; do
	kstats $c -f csv p; echo $?
	kstats $c -f csv p/b_counter_collection.csv p/a_counter_collection.csv; echo $?
done
counted q/a_counter_collection.csv 1 k SQ_WAVES 4 100 200 1 k SQ_INSTS_VALU 8 100 200
counted q/b_counter_collection.csv 2 k SQ_WAVES 4 300 400 2 k SQ_INSTS_VALU 8 300 400
# Of another process with the same numbers and times: nothing is shared.
sed 's/,7,7,/,8,8,/' q/a_counter_collection.csv >q/c_counter_collection.csv
kstats top -q -f csv --columns name,calls,total_ns q || exit
kstats counters -q -f csv --columns counter,dispatches,sum q
