# Trace and statistics of one run side by side, as rocprofv3 --stats leaves them: the trace
# counts, the statistics are left out.
cp "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv "$TESTDATA"/rocprofv3/7.0/stats/app_kernel_stats.csv .
kstats top -f csv app_kernel_trace.csv app_kernel_stats.csv
