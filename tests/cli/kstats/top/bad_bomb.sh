# A trace of nine rows followed by 200 MB of zeros, in 200 kB: stopped at 400 times its size, the
# rows count.
ln -s "$TESTDATA" data
(cat data/rocprofv3/7.0/run/app_kernel_trace.csv && dd if=/dev/zero bs=1000000 count=200 2>/dev/null) | gzip -n9 >t.gz
kstats top -f csv --name base t.gz
