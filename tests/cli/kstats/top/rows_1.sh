# -n 1: one row; pct and cum_pct stay shares of all.
ln -s "$TESTDATA" data
kstats top -f csv --name base -n 1 data/rocprofv3/7.0/run/app_kernel_trace.csv
