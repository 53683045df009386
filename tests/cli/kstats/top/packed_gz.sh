# A compressed trace is known by its content, not its name.
ln -s "$TESTDATA" data
set -e
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv >t.gz
mv t.gz trace
kstats top -f csv --name base trace
