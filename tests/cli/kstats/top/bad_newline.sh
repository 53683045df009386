# A newline inside a name belongs to the name: 1+3 us beside 3 x 2 us.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/newline_kernel_trace.csv
