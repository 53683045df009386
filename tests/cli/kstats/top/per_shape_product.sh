# rocprofv2 knows products only: 1024 x 1024 work-items are 1048576.
ln -s "$TESTDATA" data
kstats top -f csv --name base --per shape --columns grid,workgroup,name,calls data/rocprofv2/6.1/run/results_4141.csv
