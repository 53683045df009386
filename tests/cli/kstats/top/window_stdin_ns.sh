# An absolute window works on standard input.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 7000000200000..7000000400000 <data/rocprofv3/7.0/run/app_kernel_trace.csv
