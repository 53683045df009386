# Queue 2 ran vecAdd 3+4 us and one fill.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per queue data/rocprofv3/7.0/run/app_kernel_trace.csv
