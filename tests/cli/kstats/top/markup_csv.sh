# Markup, | and escapes in names: machine formats carry them as they are.
ln -s "$TESTDATA" data
kstats top -f csv --columns name,total_ns data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
