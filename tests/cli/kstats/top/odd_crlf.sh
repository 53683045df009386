# CRLF line ends, as an editor on Windows leaves them, change nothing.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/crlf_kernel_trace.csv
