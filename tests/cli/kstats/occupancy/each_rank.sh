# Ranks and processes of one host describe the same GPU, and each has its own: of 104 CUs both kernels fill 4, in files,
# packed, and in databases of one rank or of both.  A process that leaves nothing else (76) takes no number from the others.
agents() { # FILE
	printf '"Node_Id","Logical_Node_Id","Agent_Type","Name","Cu_Count","Gfx_Target_Version"\n2,2,"GPU","gfx90a",104,90010\n' >"$1"
}
run() { # STEM KERNEL
	agents "$1_agent_info.csv"
	echo '"Kind","Agent_Id","Kernel_Name","Start_Timestamp","End_Timestamp","LDS_Block_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"' >"$1_kernel_trace.csv"
	echo "\"KERNEL_DISPATCH\",2,\"$2\",1000,1900,0,8,0,16,64,1,1,256,1,1" >>"$1_kernel_trace.csv"
}
mkdir host rank0 rank1
agents host/76_agent_info.csv
run host/77 a
run host/78 bb
run rank0/out a
run rank1/out bb
ask() {
	kstats occupancy -f csv --columns name,arch,slots "$@"
}
ask host || exit
ask -q rank0 rank1 >want || exit
tar -cf host.tar host && tar -cf ranks.tar rank0 rank1 || exit
tracemerge -q -o both.db rank0 rank1 && tracemerge -q -o 0.db rank0 && tracemerge -q -o 1.db rank1 || exit
for of in host.tar ranks.tar both.db '0.db 1.db' '0.db rank1' 'rank0 1.db' 'both.db 1.db' 'both.db rank0' 'rank0 rank0 rank1'; do
	# shellcheck disable=SC2086  # words
	ask -q $of | cmp - want || echo "$of"
done
kstats ranks -f csv --columns rank host || exit
ask host/77_agent_info.csv host
