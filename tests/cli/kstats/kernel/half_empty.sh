# How empty a GPU must be to be the answer: half of its compute units.  303 workgroups on 304 leave one idle, which limits
# nothing; 153 leave 151, just below half; 152 leave 152.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
{
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version"'
	echo '2,2,"GPU","gfx942",304,90402'
} >a_agent_info.csv
{
	echo "$head"
	i=0
	for groups in 303 153 152; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",2,1,1,7,$i,1,\"k$groups\",$i,${i}000000,${i}900000,0,0,32,8,64,256,1,1,$((groups * 256)),1,1"
	done
} >a_kernel_trace.csv
for k in k303 k153 k152; do
	kstats kernel $k -q -f csv ./*.csv >page || exit
	grep -E '^(answer|occupancy)' page
done
