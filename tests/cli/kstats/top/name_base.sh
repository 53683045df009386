# --name base: no template arguments either, so scale is one kernel: 1+3+2 us.
ln -s "$TESTDATA" data
kstats top -f csv --name base data/rocprofv3/7.0/names
