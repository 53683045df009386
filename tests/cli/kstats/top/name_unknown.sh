# A level that is none.
ln -s "$TESTDATA" data
kstats top --name long data/rocprofv3/7.0/run/app_kernel_trace.csv
