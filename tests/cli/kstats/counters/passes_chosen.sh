# Which numbers of dispatches go together does not depend on what is asked for.  Dispatch 2 is `j` in one pass and `k` in the
# other, so that all are joined by kernel and order: `k` hits 4 of 6 times, by all kernels, by itself, of run.db and on its page.
# By number alone it would be 3 of 4, of the one dispatch of which 3 is the number in both.
head='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
counted() { # FILE COUNTER, then ID KERNEL VALUE START END
	f=$1 c=$2; shift 2
	mkdir -p "${f%/*}"
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Num_Xcc","Max_Engine_Clk_Fcompute"\n2,2,"GPU","gfx90a",104,90010,1,1700\n' >"${f%/*}/a_agent_info.csv"
	echo "$head" >"$f"
	while [ $# -gt 0 ]; do
		echo "$1,$1,2,1,7,7,256,1,\"$2\",64,0,0,8,0,16,\"$c\",$3,$4,$5" >>"$f"
		shift 5
	done
}
counted p/pmc_1/a_counter_collection.csv TCC_HIT_sum 1 k 1 100 200 2 j 5 300 400 3 k 3 500 600
counted p/pmc_2/a_counter_collection.csv TCC_MISS_sum 1 j 5 1100 1200 2 k 1 1300 1400 3 k 1 1500 1600
tracemerge -q -o run.db p || exit
kstats counters -q -f csv --columns name,counter,dispatches,mean,note p
kstats counters -f csv --columns name,counter,dispatches,mean,note -k k p | tee want
kstats counters -q -f csv --columns name,counter,dispatches,mean,note -k k run.db | cmp - want
kstats kernel -q -f csv --columns section,metric,value,calls k p | grep counters
kstats counters -k none p; echo $?
