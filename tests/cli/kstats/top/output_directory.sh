# -o names a directory.
ln -s "$TESTDATA" data
mkdir out
kstats top -f csv --name base -o out data/rocprofv3/7.0/run/app_kernel_trace.csv
