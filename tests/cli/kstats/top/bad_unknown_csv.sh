# A CSV file of something else: show how it begins, and where to look.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/hostile/not_a_trace.csv
