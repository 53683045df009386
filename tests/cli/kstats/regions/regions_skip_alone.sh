# --skip is about steps; the other tables do not take it.
kstats regions --skip 2 -f csv --columns region,count "$TESTDATA"/rocprofv3/7.0/run/app_marker_api_trace.csv
kstats regions --list --skip 2 "$TESTDATA"/rocprofv3/7.0/run/app_marker_api_trace.csv
kstats regions -q --steps --skip 1 -f csv --columns rank,step "$TESTDATA"/rocprofv3/7.0/run
