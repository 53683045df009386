# domain_stats.csv holds one total per domain: it is shown with --domain all when it stands alone.
# hip 12 calls, kernel 9, copy 3, each 100 us; minima and maxima are those of the traces.
ln -s "$TESTDATA" data
kstats top -f csv --domain all data/rocprofv3/7.0/stats/app_domain_stats.csv
