# Kernel i of nine starts at 7000 s + i x 100 us: fill, gemm 20, vec 1, fill, vec 2, gemm 40, vec
# 3, fill, vec 4.
# From kernel 2 up to 4, which starts at the end of the window and so is outside: gemm 20 and
# vecAdd 1 us.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 7000000200000..7000000400000 data/rocprofv3/7.0/run/app_kernel_trace.csv
