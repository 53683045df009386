# A kernel trace without End_Timestamp: name the column that is missing.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/no_end_kernel_trace.csv
