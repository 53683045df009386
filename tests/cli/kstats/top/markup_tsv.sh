# A tab inside a name is \t in tsv.
ln -s "$TESTDATA" data
kstats top -f tsv --columns name,total_ns data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
