# A window that ends before it begins: say so, whatever is in the trace.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 5..3 data/rocprofv3/7.0/run/app_kernel_trace.csv
