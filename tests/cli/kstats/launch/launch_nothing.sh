# Calls are missing, or kernels, or their correlation ids do not meet.
ln -s "$TESTDATA/rocprofv3/7.0/sync_each" data
kstats launch data/app_kernel_trace.csv; echo "status $?"
kstats launch data/app_hip_api_trace.csv; echo "status $?"
kstats launch -f csv 0=data/app_kernel_trace.csv 1=data/app_hip_api_trace.csv
