# A closed stdout is an error, not silence.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv3/7.0/run/app_kernel_trace.csv >&-
