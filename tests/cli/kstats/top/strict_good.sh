# --strict on good input changes nothing.
ln -s "$TESTDATA" data
kstats top -f csv --name base --strict data/rocprofv3/7.0/run/app_kernel_trace.csv
