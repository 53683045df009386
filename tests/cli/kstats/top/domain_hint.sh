# The wrong table: say what is there and how to see it.
ln -s "$TESTDATA" data
kstats top -f csv data/rocprofv3/7.0/run/app_hip_api_trace.csv
