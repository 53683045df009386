# Two different traces are added up.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv3/7.0/run/app_kernel_trace.csv data/rocprofv3/7.0/names/app_kernel_trace.csv --columns name,calls,total_ns
