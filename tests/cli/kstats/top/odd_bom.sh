# A byte order mark before the header changes nothing.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/bom_kernel_trace.csv
