# gzip that ends in the middle: the rows before count. 300 of its bytes hold the header and at
# least one row (a fill).
ln -s "$TESTDATA" data
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv | head -c 300 >t.gz
kstats top -f csv --name base t.gz
