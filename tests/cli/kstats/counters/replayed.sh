# A profiler that executes each dispatch again to count more: cycles are divided by the duration of the execution that they are of,
# 220000 by 200 us, 1.1 GHz, in `counters` as in `clock`; by that of the first, 100 us, they would be 2.2.  A rate of counters of both has
# the duration of the first, and says so: 1024 x (1 + 1) bytes in 100 us.
{
	echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3; do
		for c in "SQ_WAVES 64 0 100" "FETCH_SIZE 1 0 100" "GRBM_GUI_ACTIVE 220000 500 700" "WRITE_SIZE 1 500 700"; do
			# shellcheck disable=SC2086
			set -- $c
			echo "$i,$i,\"Agent 1\",1,7,7,256,1,\"k\",64,0,0,8,0,16,\"$1\",$2,$((i * 1000000 + $3 * 1000)),$((i * 1000000 + $4 * 1000))"
		done
	done
} >a_counter_collection.csv
{
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Gfx_Target_Version","Device_Id","Max_Engine_Clk_Fcompute","Num_Xcc","Name","Product_Name"'
	echo '1,1,"GPU",104,90010,29711,2500,1,"gfx90a","AMD Instinct MI210"'
} >a_agent_info.csv
kstats counters -q -f csv --columns counter,dispatches,mean,note . || exit
kstats clock -q -f csv --columns name,clock_mhz,samples . || exit
tracemerge -q -o run.db . && kstats counters -q -f csv --columns counter,dispatches,mean,note run.db
