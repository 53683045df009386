# -o may name a device: it is written to, not replaced. /dev/full says so.
ln -s "$TESTDATA" data
kstats top -f csv --name base -o /dev/full data/rocprofv3/7.0/run/app_kernel_trace.csv
