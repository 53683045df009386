# Statistics files hold no single events.
kstats regions "$TESTDATA"/rocprofv3/6.2/stats/4242_marker_stats.csv
