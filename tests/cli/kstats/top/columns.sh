# These columns, in this order, also twice.
ln -s "$TESTDATA" data
kstats top -f csv --name base --columns total_ns,name,total_ns data/rocprofv3/7.0/run/app_kernel_trace.csv
