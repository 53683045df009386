# Durations that add up to more than 64 bits: the total is left empty and said to be, the rest is
# right. big is 2^63 and 1.5 x 2^63, small 3 x 2^62: 5 and 3 eighths of 2^65.
ln -s "$TESTDATA" data
kstats top -f csv --columns name,calls,total_ns,pct,cum_pct,min_ns,max_ns data/rocprofv3/7.0/hostile/overflow_kernel_trace.csv
