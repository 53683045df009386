# The clock from GRBM_GUI_ACTIVE.  Agent 4 has 8 XCCs and 2100 MHz at most: 12.8 GHz are their sum.  k1 takes (2,560,000 +
# 1,200,000) / 8 cycles in 300 us: 1566.6667 MHz; k2 is shorter than 100 us; k3 would run at 2667 MHz.  Agent 5 has one XCC.  Of
# agent 6 the counts are no sums: 1500 MHz would be 187.  Agent 7 has two XCCs, and 1900 MHz may be 1900 or 950: not known.
{
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Max_Engine_Clk_Fcompute","Num_Xcc"'
	echo '4,4,"GPU","gfx942",304,90402,2100,8'
	echo '5,5,"GPU","gfx90a",104,90010,1700,1'
	echo '6,6,"GPU","gfx942",304,90402,2100,8'
	echo '7,7,"GPU","gfx942",76,90402,2100,2'
} >a_agent_info.csv
i=0
{
	echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
	while read -r agent name us cycles; do
		i=$((i + 1))
		for counter in GRBM_GUI_ACTIVE,$cycles GRBM_COUNT,9999999 SQ_WAVES,64; do
			echo "$i,$i,$agent,1,1,1,65536,1,\"$name\",256,0,0,8,0,16,\"${counter%,*}\",${counter#*,},${i}000000,$((i * 1000000 + us * 1000))"
		done
	done <<-END
		4 k1 200 2560000
		4 k1 100 1200000
		4 k2 20 480000
		4 k3 150 3200000
		5 k1 100 160000
		6 k1 100 150000
		7 k1 100 190000
	END
} >a_counter_collection.csv
kstats clock -f csv ./*.csv || exit
COLUMNS=80 kstats clock -q ./*.csv || exit
tracemerge -q -o run.db ./*.csv || exit
kstats clock -q -f csv ./*.csv >raw
kstats clock -q -f csv run.db | cmp - raw || exit
# Without the list of agents nothing is known, unless the user says it.
kstats clock a_counter_collection.csv; echo $?
kstats clock -q -f csv --max-mhz 2100 --xccs 8 --columns agent,name,clock_mhz,note a_counter_collection.csv || exit
kstats clock -q -f csv -w 1ns..2ns ./*.csv
