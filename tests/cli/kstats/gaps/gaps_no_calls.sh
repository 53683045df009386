# No cause is known without API calls, with calls of another rank, or with too few of them.
ln -s "$TESTDATA/rocprofv3/7.0/sync_each" data
kstats gaps -f csv data/app_kernel_trace.csv
head -n 4 data/app_hip_api_trace.csv >app_hip_api_trace.csv
cp data/app_kernel_trace.csv .
kstats gaps -f csv app_kernel_trace.csv app_hip_api_trace.csv
kstats gaps -f csv 0=app_kernel_trace.csv 1=app_hip_api_trace.csv
kstats gaps --list -n 1 --columns gap_ns,unknown_ns,host_call 0=app_kernel_trace.csv 1=app_hip_api_trace.csv
