# rocprofv2 5.7: an empty line follows the header, names end in " (.kd)" or ".kd", rows as they
# were flushed.
# gemm_tile ran 20 and 40 us, the fill 3 times 10 us, vecAdd 1, 2, 3 and 4 us: 100 us in all.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv2/5.7/run/results_4141.csv
