# -q: no notes, but errors.
ln -s "$TESTDATA" data
kstats top -f csv --name base -q data/rocprofv3/7.0/hostile/garbage_kernel_trace.csv missing.csv
