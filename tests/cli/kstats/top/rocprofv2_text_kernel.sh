# What rocprofv2 prints to the terminal, amid what the program prints. One counter in each line: a
# dispatch counts once, nothing is left out.
# gemm_tile ran 20 and 40 us, the fill 3 times 10 us, vecAdd 1, 2, 3 and 4 us: 100 us in all.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv2/6.1/cli/kernels.txt
