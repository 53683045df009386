# Sums alone do not tell when; a host trace has no GPU work; nothing starts inside the window.
kstats timeline "$TESTDATA/rocprofv3/7.0/cut/a_kernel_stats.csv" 2>err; echo "status $?"; sed 's,[^ ]*/testdata,T,' err >&2
kstats timeline "$TESTDATA/rocprofv3/7.0/run/app_hip_api_trace.csv"; echo "status $?"
kstats timeline -w 5..9 "$TESTDATA/rocprofv3/7.0/run/app_kernel_trace.csv"
