# In md, names mean nothing but themselves: no tags, no columns of their own, no code; escapes are
# spelt.
ln -s "$TESTDATA" data
kstats top -f md --columns name,total_ns data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
