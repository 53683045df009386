# A counter collection has one row for each dispatch and counter, here two of each, and repeats
# the times: each dispatch counts once, so the table is that of the trace.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/pmc/pass_1/app_counter_collection.csv
