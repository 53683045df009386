# rocprofv3 6.2 knows no streams: the cell is empty, not 0.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per stream --columns stream,name data/rocprofv3/6.2/run/4242_kernel_trace.csv
