# --no-progress is known; without a terminal there is none anyway.
ln -s "$TESTDATA" data
kstats top -f csv --name base --no-progress data/rocprofv3/7.0/run/app_kernel_trace.csv
