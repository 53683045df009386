# No operand, or "-": standard input.
ln -s "$TESTDATA" data
set -e
kstats top -f csv --name base <data/rocprofv3/7.0/run/app_kernel_trace.csv
kstats top -f csv --name base - <data/rocprofv3/7.0/run/app_kernel_trace.csv
