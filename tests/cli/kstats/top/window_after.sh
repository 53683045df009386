# Kernel i of nine starts at 7000 s + i x 100 us: fill, gemm 20, vec 1, fill, vec 2, gemm 40, vec
# 3, fill, vec 4.
# +0..+250us after the first start: kernels 1, 2 and 3, the last with its whole duration.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w +0..+250us data/rocprofv3/7.0/run/app_kernel_trace.csv
