# A counter collection has one row for each dispatch and counter, here two of each, and repeats
# the times: each dispatch counts once, so the table is that of the trace.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.1/pmc/pass_1/7171_counter_collection.csv
