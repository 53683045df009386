# Before ROCm 5.2 names in statistics stood without quotes.
ln -s "$TESTDATA" data
kstats top -f csv --domain hsa data/rocprofv1/5.0/stats/results.hsa_stats.csv
