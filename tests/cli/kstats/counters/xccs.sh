# Is GRBM_GUI_ACTIVE the sum over XCCs?  A GPU of 8 XCCs, 304 CUs and 2100 MHz at most; five dispatches of 1 ms at 1900 MHz, in
# which vector units work 30 % of the time and matrix units 50 %: 1,900,000 cycles of one XCC, 15,200,000 of all.
agent() { # DIR CUS XCCS
	mkdir -p "$1"
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version","Max_Engine_Clk_Fcompute","Num_Xcc"\n4,4,"GPU","gfx942",%s,90402,2100,%s\n' "$2" "$3" >"$1/a_agent_info.csv"
}
counted() { # DIR GUI NS [MFMA VALU]
	echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
	for i in 1 2 3 4 5; do
		for v in GRBM_GUI_ACTIVE,$2 SQ_VALU_MFMA_BUSY_CYCLES,${4:-1155200000} SQ_ACTIVE_INST_VALU,${5:-173280000}; do
			echo "$i,$i,4,1,7,7,65536,1,\"k\",256,0,0,64,0,32,\"${v%,*}\",${v#*,},${i}0000000,$((i * 10000000 + $3))"
		done
	done
}
c='kstats counters -f csv --columns counter,mean,max,note'
agent sum 304 8
counted sum 15200000 1000000 >sum/a_counter_collection.csv
$c sum || exit
# Counts of one XCC give the same; so does the page of the kernel, and what the user says of XCCs does not make them sums.
agent one 304 8
counted one 1900000 1000000 >one/a_counter_collection.csv
$c one || exit
$c -q --xccs 8 one >eight && $c -q one | cmp - eight || exit
kstats kernel k -q -f csv one >page || exit
grep -E '^(clock|counters)' page
# The user's number comes before the agent's; with it, or without a clock that fits, what cannot be is not shown.
$c --xccs 1 sum || exit
kstats kernel k -f csv one >page || exit
# Two XCCs at 1900 MHz may be one at 1900 or the sum of two at 950: not shown, unless the user knows.
agent two 76 2
counted two 1900000 1000000 288800000 43320000 >two/a_counter_collection.csv
$c two || exit
$c --xccs 2 two || exit
# Dispatches of 20 us count more cycles than their own: no clock is too high for a sum, but 1900 MHz are too few.
agent brief 304 8
counted brief 38000 20000 23104000 3465600 >brief/a_counter_collection.csv
$c brief || exit
# Matrix units that are busy 125 % of the time: one of the counters is wrong.
agent more 304 8
counted more 15200000 1000000 2888000000 >more/a_counter_collection.csv
$c more || exit
kstats kernel k -f csv more >page || exit
grep -E '^(clock|counters)' page
