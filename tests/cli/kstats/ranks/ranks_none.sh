# No communication kernels; and no events at all.
kstats ranks --collectives -f csv "$TESTDATA"/rocprofv3/7.0/run/app_hip_api_trace.csv
echo "status $?"
kstats ranks "$TESTDATA"/rocprofv3/7.0/stats/app_kernel_stats.csv
