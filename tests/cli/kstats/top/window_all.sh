# .. is everything.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w .. data/rocprofv3/7.0/run/app_kernel_trace.csv
