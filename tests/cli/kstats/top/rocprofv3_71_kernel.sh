# The kernel trace of rocprofv3 7.1. The same nine kernels in every dialect, so the same table.
# gemm_tile ran 20 and 40 us, the fill 3 times 10 us, vecAdd 1, 2, 3 and 4 us: 100 us in all.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.1/run/7171_kernel_trace.csv
