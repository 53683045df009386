# Queue 1 of agent 4 ran four kernels, queue 2 two; what --per does not name is no column.
ln -s "$TESTDATA/rocprofv3/7.0/run" data
kstats gaps -f csv --per queue data/app_kernel_trace.csv
kstats gaps -q -f csv --per stream --hist -s stream,total -n 4 data/app_kernel_trace.csv
kstats gaps --columns rank,queue data/app_kernel_trace.csv
kstats gaps -s stream data/app_kernel_trace.csv
kstats gaps --per rank data/app_kernel_trace.csv
kstats gaps --per queue,stream data/app_kernel_trace.csv
