# The same from statistics: domain_stats only adds them up and is left out.
ln -s "$TESTDATA" data
kstats top -f csv --name base --domain all data/rocprofv3/7.0/stats
