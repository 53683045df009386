# Times without a plus are times on the trace's own clock, so 10ms..20ms is long before this trace, which is 60 ms long:
# where it runs, and what was meant, is said.  An open end makes a window that is idle for 488554 hours: likewise.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,1758793203000000000,1758793203015000000
"KERNEL_DISPATCH","Agent 4","k",2,1758793203030000000,1758793203060000000
END
kstats timeline -f csv -w 10ms..20ms p_kernel_trace.csv
kstats top -f csv -w 10ms..20ms - <p_kernel_trace.csv
tracecat -w ..20ms p_kernel_trace.csv >/dev/null
kstats timeline -f csv --columns window_ns -w 10ms.. p_kernel_trace.csv
kstats timeline -f csv --columns window_ns -w +10ms..+20ms p_kernel_trace.csv
# Longer than the trace is no distance in it; inside the trace and a little around it nothing is said.
kstats timeline -f csv -w 5s.. --columns window_ns p_kernel_trace.csv
kstats timeline -f csv -w 1758793203016000000..1758793203017000000 p_kernel_trace.csv
kstats timeline -f csv --columns window_ns -w 1758793202990000000..1758793203070000000 p_kernel_trace.csv
