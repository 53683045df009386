# --skip is about steps; the other table says so.
kstats regions --skip 2 -f csv --columns region,count "$TESTDATA"/rocprofv3/7.0/run/app_marker_api_trace.csv
