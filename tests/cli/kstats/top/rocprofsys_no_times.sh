# What has no times: a table of counts, one in megabytes, and metadata, which is no table.
cd "$TESTDATA/rocprofsys/1.2/run" || exit
kstats top -f csv --columns name --domain marker trip_count-4001.txt; echo "status $?"
kstats top -f csv --columns name --domain marker peak_rss-4001.txt; echo "status $?"
kstats top -f csv --columns name --domain marker metadata-4001.json; echo "status $?"
kstats top -f csv --columns name wall_clock-4001.json; echo "status $?"
