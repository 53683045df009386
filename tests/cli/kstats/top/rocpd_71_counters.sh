# counter_collection_trace.csv of rocpd convert: two counters for each of nine dispatches, each
# dispatch counts once.
ln -s "$TESTDATA" data
kstats top -f csv data/rocpd/7.1/pmc
