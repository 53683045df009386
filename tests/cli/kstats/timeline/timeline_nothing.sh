# Sums alone do not tell when; a host trace has no GPU work; all of it takes no time, so that there is a window and nothing to draw
# in it; nothing starts inside the window.
kstats timeline "$TESTDATA/rocprofv3/7.0/cut/a_kernel_stats.csv" 2>err; echo "status $?"; sed 's,[^ ]*/testdata,T,' err >&2
kstats timeline "$TESTDATA/rocprofv3/7.0/run/app_hip_api_trace.csv"; echo "status $?"
printf '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n%s\n' \
	'"KERNEL_DISPATCH","Agent 4",1,"k",1,900,900' >1_kernel_trace.csv
kstats timeline -q -f csv --columns agent,window_ns,kernels 1_kernel_trace.csv
kstats timeline --chart 1_kernel_trace.csv; echo "status $?"
kstats timeline -w 5..9 "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv"
