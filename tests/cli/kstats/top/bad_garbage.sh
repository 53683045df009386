# Lines that are no rows (a log line, half rows) are left out and counted; the nine rows around
# them count.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/garbage_kernel_trace.csv
