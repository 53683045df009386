# zstd that ends inside its only block: nothing to be had.
ln -s "$TESTDATA" data
zstd -q -c data/rocprofv3/7.0/run/app_kernel_trace.csv | head -c 300 >t.zst
kstats top -f csv --name base t.zst
