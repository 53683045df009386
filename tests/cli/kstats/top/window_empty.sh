# Nothing starts inside: never a good answer.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 1..2 data/rocprofv3/7.0/run/app_kernel_trace.csv
