# An expression that is none.
ln -s "$TESTDATA" data
kstats top --rank-from 'rank(' data/rocprofv3/7.0/run/app_kernel_trace.csv
