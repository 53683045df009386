# A run.db of version 6 has no columns for the place of a sample, what it issued, and the cycles of a thread trace: all
# else of it is read as before, samples too.
cat >host_trap.csv <<'END'
"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id"
1000,18446744073709551615,1,"s_endpgm","a.cpp:1",1
2000,18446744073709551615,1,"s_endpgm","a.cpp:1",1
END
mkdir run
cp host_trap.csv run/app_pc_sampling_host_trap.csv
cat >run/app_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Dispatch_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,1,"k",1,900,2900
END
kstats samples -q -f csv run >want || exit
cat want
tracemerge -q -o run.db run || exit
kstats samples -q -f csv run.db | cmp - want
for column in issued code_object offset hits latency stalled idle; do
	sqlite3 run.db "ALTER TABLE sample DROP $column" || exit
done
sqlite3 run.db 'PRAGMA user_version = 6'
kstats samples -q -f csv run.db | cmp - want
kstats top -q -f csv --columns calls,total_ns,name run.db
