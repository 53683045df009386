# --from with a format that is none: they are listed.
ln -s "$TESTDATA" data
kstats top --from csv data/rocprofv3/7.0/run/app_kernel_trace.csv
