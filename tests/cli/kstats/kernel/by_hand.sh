# A page by hand.  k1 takes 1000 ns and 2000 ns on stream 1, with fill between them, 500 ns after the first and right before
# the second; k1<int> 500 ns on stream 2: 3500 of 4000 ns, starting 0, 2000 and 3000 ns into a run of 4000.  136 registers allow 3
# waves of a SIMD, and 8 fewer 4; 8 workgroups leave 296 of 304 CUs empty.
{
	echo '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version"'
	echo '2,2,"GPU","gfx942",304,90402'
} >a_agent_info.csv
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	i=0
	while IFS=';' read -r stream name start end; do
		i=$((i + 1))
		echo "\"KERNEL_DISPATCH\",2,1,$stream,7,$i,1,\"$name\",$i,$start,$end,0,0,128,8,64,256,1,1,2048,1,1"
	done <<-END
		1;k1;1000;2000
		1;fill,<b>;2500;3000
		1;k1;3000;5000
		2;k1<int>;4000;4500
	END
} >a_kernel_trace.csv
kstats kernel '^k1' -f csv ./*.csv || exit
COLUMNS=80 kstats kernel -q '^k1' ./*.csv || exit
tracemerge -q -o run.db ./*.csv || exit
kstats kernel ^k1 -q -f csv ./*.csv >raw
kstats kernel ^k1 -q -f csv -j 4 run.db | cmp - raw || exit
kstats kernel -q -f json ^k1 a_kernel_trace.csv | tail -n 3 || exit
# What is no kernel; no such kernel; only sums; no expression; the expression alone reads standard input.
kstats kernel '(' a_kernel_trace.csv; echo $?
kstats kernel; echo $?
kstats kernel k2 a_kernel_trace.csv; echo $?
kstats kernel k1 -w 1ns..9ns a_kernel_trace.csv; echo $?
kstats kernel k1 -k k1 a_kernel_trace.csv; echo $?
kstats kernel k1 <a_kernel_trace.csv -q -f csv --columns section,value | head -n 4
kstats kernel matmul -q -f csv "$TESTDATA/rocprofv3/7.0/stats"; echo $?
kstats kernel gemm_tile -q -f csv "$TESTDATA/rocprofv3/7.0/stats"
