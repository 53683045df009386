# --strict: rows left out make status 2; the table is the same.
ln -s "$TESTDATA" data
kstats top -f csv --name base --strict data/rocprofv3/7.0/hostile/garbage_kernel_trace.csv
