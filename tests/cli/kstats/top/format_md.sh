# md: a GitHub table, numbers scaled for people; underscores at the beginning of a word are
# escaped.
ln -s "$TESTDATA" data
kstats top -f md --name base --columns name,calls,total_ns,pct,avg_ns,stddev_ns data/rocprofv3/7.0/run/app_kernel_trace.csv
