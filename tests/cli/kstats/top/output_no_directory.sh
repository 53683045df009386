# -o into a directory that is not there.
ln -s "$TESTDATA" data
kstats top -f csv --name base -o no/out.csv data/rocprofv3/7.0/run/app_kernel_trace.csv
