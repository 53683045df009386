# rocprof v1 without --timestamp on: nine kernels, no times.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv1/6.2/no_times/results.csv
