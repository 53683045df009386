# rocprof v1 --stats, the writer with a quoted header: the same table.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv1/6.2/stats/results.csv
