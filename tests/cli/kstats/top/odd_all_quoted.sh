# Every number in quotes, as some programs save CSV, changes nothing.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/allquoted_kernel_trace.csv
