# Samples name their dispatch, not their kernel: of the 120 of `a` 90 are at s_waitcnt, 75 %; the 150 of b are others.
head='"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id","Wave_Issued_Instruction","Instruction_Type","Stall_Reason","Wave_Count"'
sample() { # N DISPATCH INSTRUCTION ISSUED
	seq "$1" | sed "s|.*|100&,1,$2,\"$3\",\"/src/f.cpp:7\",$2,$4,\"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU\",\"ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT\",4|"
}
{
	echo '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"KERNEL_DISPATCH",2,1,7,1,1,"a",1,1000,1900'
	echo '"KERNEL_DISPATCH",2,1,7,2,1,"b",2,2000,2900'
} >x_kernel_trace.csv
{
	echo "$head"
	sample 90 1 's_waitcnt vmcnt(0)' 0
	sample 30 1 'v_mul_f32 v1, v2' 1
	sample 150 2 's_barrier' 0
} >x_pc_sampling_stochastic.csv
kstats kernel -q -f csv ^a x_*.csv >page || exit
grep -E '^(samples|answer|missing)' page
COLUMNS=80 kstats kernel -q ^a x_*.csv >page || exit
grep -E '^(samples|[0-9])' page
