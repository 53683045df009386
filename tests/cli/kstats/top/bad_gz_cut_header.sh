# gzip that ends inside the first line: the packing is what is wrong, not the format.
ln -s "$TESTDATA" data
gzip -nc data/rocprofv3/7.0/run/app_kernel_trace.csv | head -c 100 >t.gz
kstats top -f csv --name base t.gz
