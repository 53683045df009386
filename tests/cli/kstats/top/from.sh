# --from takes an input for what it is said to be.
ln -s "$TESTDATA" data
kstats top -f csv --name base --from rocprofv3-csv data/rocprofv3/7.0/run/app_kernel_trace.csv
