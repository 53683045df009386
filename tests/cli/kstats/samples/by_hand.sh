# Samples worked out by hand.  `a` has dispatches 1 and 2: 100 samples at s_waitcnt in file.cpp:7, none of which issued, 90
# stalled by WAITCNT and 10 by BARRIER_WAIT, and 20 at v_mul, which all did (their reason is a filler).  100 of 120 are
# 83.33 %; by Wilson 75.66 to 88.94.  20 of 120: 11.06 to 24.34.  Of 20 samples no share is told, nor of the 7 of `b`, 5 of
# which were not decoded: one place, whatever their addresses.  A mask of 65535 is 16 lanes.
head='"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id","Wave_Issued_Instruction","Instruction_Type","Stall_Reason","Wave_Count"'
why=ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_
sample() { # N DISPATCH INSTRUCTION SOURCE ISSUED REASON
	i=0
	while [ $i -lt "$1" ]; do
		echo "$((1000 + i)),65535,$2,\"$3\",\"$4\",$2,$5,\"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU\",\"$why$6\",4"
		i=$((i + 1))
	done
}
kernels() {
	echo '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for d in 1.a 2.a 3.b; do
		echo "\"KERNEL_DISPATCH\",2,1,7,${d%.?},1,\"${d#?.}\",${d%.?},${d%.?}000,${d%.?}900"
	done
}
mkdir x
kernels >x/a_kernel_trace.csv
{
	echo "$head"
	sample 60 1 's_waitcnt vmcnt(0)' /src/file.cpp:7 0 WAITCNT
	sample 20 1 'v_mul_f32 v1, v2, v3' /src/file.cpp:8 1 WAITCNT
	sample 30 2 's_waitcnt vmcnt(0)' /src/file.cpp:7 0 WAITCNT
	sample 10 2 's_waitcnt vmcnt(0)' /src/file.cpp:7 0 BARRIER_WAIT
	sample 2 3 's_endpgm' '' 1 NONE
	sample 3 3 '' 'Unrecognized code object id, physical virtual address of PC:77' 1 NONE
	sample 2 3 '' 'Unrecognized code object id, physical virtual address of PC:88' 1 NONE
} >x/a_pc_sampling_stochastic.csv
kstats samples -f csv x || exit
for w in 80 120 200; do
	COLUMNS=$w kstats samples -q x || exit
done
kstats samples -q -f csv --lines --columns name,source,samples,pct,top_stall x || exit
kstats samples -q -f csv --kernels --columns name,samples,pct,issued_pct,top_stall,top_stall_pct x || exit
kstats samples -q -f json -n 1 x || exit
kstats samples -q -f md -n 1 x || exit
kstats samples -q -f csv x >raw
tracemerge -q -o run.db x && kstats samples -q -f csv run.db | cmp - raw || exit
# Of one kernel; of none.
kstats samples -f csv -k '^b$' --columns name,instruction,samples x || exit
kstats samples -k '^c$' x; echo $?
# Without the kernels; in a window; rows that are cut or spoilt are counted.
kstats samples -f csv -n 2 x/a_pc_sampling_stochastic.csv || exit
kstats samples -q -f csv -w 1000ns..1005ns --columns name,instruction,samples x || exit
{ head -n 5 x/a_pc_sampling_stochastic.csv; echo '12,x,1,"s_nop","",1,0,"T","S",4'; echo '13,1,1,"s_nop'; } >cut.csv
kstats samples -f csv --columns instruction,samples cut.csv || exit
kstats samples x/a_kernel_trace.csv; echo $?
