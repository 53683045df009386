# A header and no row is a trace of nothing: never a good answer.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/header_only_kernel_trace.csv
