# rocprof v1, the writer with a bare header; a counter may be None, names end in " [clone .kd]" or
# ".kd", which are not shown.
# gemm_tile ran 20 and 40 us, the fill 3 times 10 us, vecAdd 1, 2, 3 and 4 us: 100 us in all.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv1/6.2/counters/results.csv
