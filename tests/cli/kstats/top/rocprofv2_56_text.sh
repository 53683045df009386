# results.txt of rocprofv2 5.6: a line for each dispatch, one for each counter behind it.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv2/5.6/run/4141_results.txt
