# For people: what every row lacks is left out, and what the line has no room for.
cp "$TESTDATA"/rocprofv3/7.0/run/app_*.csv .
tracecat info -q app_kernel_trace.csv app_hip_api_trace.csv
