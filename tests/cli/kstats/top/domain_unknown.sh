# A domain that is none.
ln -s "$TESTDATA" data
kstats top --domain cuda data/rocprofv3/7.0/run/app_kernel_trace.csv
