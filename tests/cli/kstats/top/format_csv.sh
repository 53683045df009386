# csv is the stable interface: fixed names, raw integers, four digits behind the point.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv3/7.0/run/app_kernel_trace.csv
