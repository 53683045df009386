# The JSON of rocprofv3 with two processes: both count.  A reversed record is left out, a kernel that no
# table knows keeps its time.
ln -s "$TESTDATA" data
kstats top -f csv --columns name,calls,total_ns data/rocprofv3/7.0/json/1234_results.json
