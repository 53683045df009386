# rocprofv3 writes statistics beside the trace when asked for both: with -w the trace answers, as without, and that is
# no error.  Statistics of another run cannot be cut to a window: every sub-command that would add them up says so.
cat >a_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,1000,1900
"KERNEL_DISPATCH",4,1,"k",2,1900,2000
END
cat >a_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"k",2,1000,500,100.0,100,900,565.685425
END
cp a_kernel_stats.csv b_kernel_stats.csv
for q in top classes summary; do
	kstats $q -f csv -n 1 -w 50%.. a_kernel_trace.csv a_kernel_stats.csv >out; status=$?
	head -n 2 out; echo "$q $status"
done
for q in top classes gemm summary; do
	kstats $q -q -f csv -n 1 -w 50%.. a_kernel_trace.csv b_kernel_stats.csv >out; status=$?
	head -n 2 out; echo "$q $status"
done
