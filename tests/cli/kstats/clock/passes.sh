# GRBM_GUI_ACTIVE in a pass whose times are not used: 300,000 cycles of dispatches that take 200 us in the pass that has them
# are 1500 MHz, whichever folder comes first, and in run.db.  Of several passes with times it is that which counted it: with the
# 400 us of the other one it would be 750 MHz.  Where both passes count it, one does, and no row is skipped.  A
# kernel trace that is a pass has the times, too.  The window is that of the times that are used.
counted() { # FILE COUNTER VALUE FIRST
	mkdir -p "${1%/*}"
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Num_Xcc","Max_Engine_Clk_Fcompute"\n2,2,"GPU","gfx90a",104,90010,1,1700\n' >"${1%/*}/a_agent_info.csv"
	[ -f "$1" ] || echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"' >"$1"
	for i in 1 2; do
		echo "$i,$i,2,1,$4,7,256,1,\"a\",64,0,0,8,0,16,\"$2\",$3,$4${i}000000,$4${i}200000" >>"$1"
	done
}
ask() {
	kstats clock -f csv --strict --columns name,dispatches,clock_mhz,samples,note,total_ns "$@"
}
counted second/pmc_1/a_counter_collection.csv SQ_WAVES 10 1
counted second/pmc_2/a_counter_collection.csv GRBM_GUI_ACTIVE 300000 2
ask second | tee want || exit
counted first/pmc_2/a_counter_collection.csv SQ_WAVES 10 1
counted first/pmc_1/a_counter_collection.csv GRBM_GUI_ACTIVE 300000 2
counted both/pmc_1/a_counter_collection.csv GRBM_GUI_ACTIVE 300000 1
counted both/pmc_2/a_counter_collection.csv GRBM_GUI_ACTIVE 320000 2
counted both/pmc_2/a_counter_collection.csv SQ_WAVES 10 2
counted trace/pmc_2/a_counter_collection.csv GRBM_GUI_ACTIVE 300000 2
mkdir trace/pmc_1
{
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Dispatch_Id","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	echo '"KERNEL_DISPATCH",2,1,1,"a",1,1000000,1200000,1,64,1,1,256,1,1'
	echo '"KERNEL_DISPATCH",2,1,1,"a",2,2000000,2200000,2,64,1,1,256,1,1'
} >trace/pmc_1/a_kernel_trace.csv
tracemerge -q -o run.db second || exit
ask both >/dev/null || exit
for of in first both trace run.db; do
	ask -q $of | cmp - want || echo $of
done
ask -q -w 21ms..21.5ms second && ask -q -w 1ms..1.5ms trace
counted slow/pmc_1/a_counter_collection.csv SQ_WAVES 10 1
sed 's/\(1[12]\)200000$/\1400000/' slow/pmc_1/a_counter_collection.csv >tmp && mv tmp slow/pmc_1/a_counter_collection.csv
counted slow/pmc_2/a_counter_collection.csv GRBM_GUI_ACTIVE 300000 2
ask slow | cmp - want && kstats counters -q -f csv -n 1 --columns counter,mean,note slow
