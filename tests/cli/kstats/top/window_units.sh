# Kernel i of nine starts at 7000 s + i x 100 us: fill, gemm 20, vec 1, fill, vec 2, gemm 40, vec
# 3, fill, vec 4.
# Units on absolute times: the same window.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 7000000.2ms..7000.0004s data/rocprofv3/7.0/run/app_kernel_trace.csv
