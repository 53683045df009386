# A picture keeps the agents of each rank, so that what follows from them is as of the trace: the product in the first screen,
# the waves that fit, and that what a launch adds to the LDS is not known (CSV of rocprofv3 7.0).  Names hold what they like, and
# a picture of a picture is no different.
rank() { # RANK PRODUCT
	mkdir -p "job/rank$1"
	printf '%s\n' '"Kind","Agent_Id","Queue_Id","Kernel_Name","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z","VGPR_Count","Accum_VGPR_Count","SGPR_Count","LDS_Block_Size","Scratch_Size","Correlation_Id","Start_Timestamp","End_Timestamp"' \
		'"KERNEL_DISPATCH",2,1,"gemm%d(float*)",256,1,1,262144,1,1,128,0,32,0,0,1,1000,21000' | sed "s=%d=$1=" >"job/rank$1/a_kernel_trace.csv"
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Product_Name","Cu_Count","Gfx_Target_Version","Num_Xcc","Max_Engine_Clk_Fcompute"\n' >"job/rank$1/a_agent_info.csv"
	printf '%s\n' '0,0,"CPU","a CPU","Some CPU",0,0,0,0' "2,2,\"GPU\",\"gfx942\",\"$2\",304,90402,8,2100" >>"job/rank$1/a_agent_info.csv"
}
rank 0 'AMD Instinct MI300X'
rank 1 'a GPU on a node without=9 agent gfx=90010 12:x'
rank 2 "$(printf 'no UTF-8: \377, 100 %%, %%41')"
ask() { # OUT INPUT
	{
		kstats -q -f csv "$2" | grep -e '^agents' -e '^gpu'
		kstats occupancy -q -f csv --columns name,arch,waves,slots,rounds,note "$2"
	} >"$1" 2>&1
}
ask want job && cat want
for to in pftrace chrome; do
	tracecat -q --to $to -o once.$to job && tracecat -q --to $to --args none -o twice.$to once.$to && tracemerge -q -o $to.db once.$to || exit
	for input in once.$to $to.db; do
		ask have "$input"
		cmp have want && echo "$input: as of the trace"
	done
	tracecat info -q -f csv --columns rank,gpus twice.$to
done
