# A sort key that is none: all of them are named.
ln -s "$TESTDATA" data
kstats top -s time data/rocprofv3/7.0/run/app_kernel_trace.csv
