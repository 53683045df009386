# What could be read is written though another input is bad, as on stdout.
ln -s "$TESTDATA" data
kstats top -f csv --name base -o out.csv data/rocprofv3/7.0/run/app_kernel_trace.csv missing.csv
status=$?
cat out.csv
exit $status
