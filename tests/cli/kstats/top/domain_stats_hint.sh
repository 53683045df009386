# domain_stats.csv has no kernels: say so, and what to do.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/6.2/stats/4242_domain_stats.csv
