# Statistics hold no single calls: a window cannot choose from them.
ln -s "$TESTDATA" data
kstats top -f csv --name base -w 0..1 data/rocprofv3/7.0/stats/app_kernel_stats.csv
