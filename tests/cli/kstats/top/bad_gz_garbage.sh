# Something after the end of the gzip stream.
ln -s "$TESTDATA" data
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv >t.gz
echo appended >>t.gz
kstats top -f csv --name base t.gz
