# Each counter repeats the times of its dispatch, and dispatches run one at a time: that is no trace, and not an
# input without kernels either.
ln -s "$TESTDATA" data
kstats timeline -f csv --columns agent,busy_ns data/rocprofv3/7.1/pmc
