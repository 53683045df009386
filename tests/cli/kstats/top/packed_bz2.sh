# A compressed trace is known by its content, not its name.
ln -s "$TESTDATA" data
set -e
bzip2 -c data/rocprofv3/7.0/run/app_kernel_trace.csv >t.bz2
mv t.bz2 trace
kstats top -f csv --name base trace
