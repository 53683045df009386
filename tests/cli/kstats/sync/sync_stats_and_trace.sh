# Statistics beside the trace of the same run: the trace counts.
cp "$TESTDATA"/rocprofv3/7.0/run/app_hip_api_trace.csv "$TESTDATA"/rocprofv3/7.0/stats/app_hip_api_stats.csv .
kstats sync -f csv app_hip_api_trace.csv app_hip_api_stats.csv
