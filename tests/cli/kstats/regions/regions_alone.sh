# Markers without GPU work: host columns are there, the others absent; the mark has no length.
kstats regions -f csv "$TESTDATA"/rocprofv3/6.2/run/4242_marker_api_trace.csv
