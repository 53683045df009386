# json holds the window as it was asked for, and every note with its place.
ln -s "$TESTDATA" data
kstats top -f json --name base -w .. data/rocprofv3/7.0/hostile/garbage_kernel_trace.csv
