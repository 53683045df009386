# tsv: the same with tabs, nothing quoted.
ln -s "$TESTDATA" data
kstats top -f tsv data/rocprofv3/7.0/run/app_kernel_trace.csv
