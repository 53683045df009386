# Quotes only where they must be, as pandas saves CSV, change nothing.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/pandas_kernel_trace.csv
