# The last vecAdd has a grid of its own; shapes are in work-items.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per shape data/rocprofv3/7.0/run/app_kernel_trace.csv
