# A pipe as standard input.
ln -s "$TESTDATA" data
set -e
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv >t.gz
gzip -dc t.gz | kstats top -f csv --name base >out
cat out
