# One rank: each measure is its own mean, and a note says that there is nothing to compare.
kstats ranks --imbalance -f csv "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv
