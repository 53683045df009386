# COLUMNS=220: every column, whole names.
ln -s "$TESTDATA" data
COLUMNS=220 kstats top data/rocprofv3/7.0/run/app_kernel_trace.csv
