# A file that is not there, and a path through a file.
ln -s "$TESTDATA" data
kstats top -f csv --name base missing.csv data/rocprofv3/7.0/run/app_kernel_trace.csv/x
