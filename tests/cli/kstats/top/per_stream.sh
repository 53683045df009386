# Stream 3 ran the last vecAdd (4 us) only.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per stream data/rocprofv3/7.0/run/app_kernel_trace.csv
