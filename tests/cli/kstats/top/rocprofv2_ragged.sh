# rocprofv2 before 6.3 wrote rows with more (line 4) or fewer (line 6) counters than its header
# names. Their kernels ran all the same and count.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv2/6.1/hostile/ragged_results_4141.csv
