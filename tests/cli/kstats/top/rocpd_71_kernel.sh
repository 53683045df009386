# rocpd convert -f csv writes Guid first and Title_Case headers (Lds_Block_Size).
# gemm_tile ran 20 and 40 us, the fill 3 times 10 us, vecAdd 1, 2, 3 and 4 us: 100 us in all.
ln -s "$TESTDATA" data
kstats top -f csv data/rocpd/7.1/run/out_kernel_trace.csv
