# One row: every duration statistic is that one, and there is no deviation.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/one_kernel_trace.csv
