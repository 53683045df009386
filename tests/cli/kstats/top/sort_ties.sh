# Equal totals: by name. scale<float> and triton..._0 both take 4 us.
ln -s "$TESTDATA" data
kstats top -f csv --columns name,total_ns data/rocprofv3/7.0/names
