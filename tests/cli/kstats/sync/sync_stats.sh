# Statistics alone: plain sums, as shares of the host's time of the 100000 that all HIP calls took together; no
# threads, no window, no quantiles.  With -w or --during there is nothing that could be divided.
cp "$TESTDATA"/rocprofv3/7.0/stats/app_hip_api_stats.csv .
cat app_hip_api_stats.csv
kstats sync -f csv app_hip_api_stats.csv
kstats sync -f csv --during idle app_hip_api_stats.csv
