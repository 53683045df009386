# A last row without a newline that has all its columns is a row.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/no_newline_kernel_trace.csv
