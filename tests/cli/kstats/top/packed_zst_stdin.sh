# The same from standard input.
ln -s "$TESTDATA" data
set -e
zstd -q -c data/rocprofv3/7.0/run/app_kernel_trace.csv >t.zst
kstats top -f csv --name base <t.zst
