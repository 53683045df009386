# Control characters are escaped in json.
ln -s "$TESTDATA" data
kstats top -f json --columns name,total_ns data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
