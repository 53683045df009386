# Kernel i of nine starts at 7000 s + i x 100 us: fill, gemm 20, vec 1, fill, vec 2, gemm 40, vec
# 3, fill, vec 4.
# The span is from 100 us to 904 us; half of it ends at 502 us: kernels 1 to 5, and 6 to 9 in the
# other half.
ln -s "$TESTDATA" data
set -e
kstats top -f csv --name base -w 0%..50% data/rocprofv3/7.0/run/app_kernel_trace.csv
kstats top -f csv --name base -w 50%.. data/rocprofv3/7.0/run/app_kernel_trace.csv
