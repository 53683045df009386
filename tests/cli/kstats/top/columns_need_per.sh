# A column that only --per fills cannot be asked for alone.
ln -s "$TESTDATA" data
kstats top --columns rank,name data/rocprofv3/7.0/run/app_kernel_trace.csv
