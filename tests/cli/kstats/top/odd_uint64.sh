# Timestamps above 2^63 are numbers like others: 1+3+2 us and 2+2 us.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/uint64_kernel_trace.csv
