# One kernel alone leaves no gap; sums do not tell when; a host trace has no GPU work.
ln -s "$TESTDATA/rocprofv3/7.0" data
head -n 2 data/sync_once/app_kernel_trace.csv >one_kernel_trace.csv
kstats gaps -q -f csv one_kernel_trace.csv
kstats gaps --list one_kernel_trace.csv; echo "status $?"
kstats gaps --hist one_kernel_trace.csv; echo "status $?"
kstats gaps data/cut/a_kernel_stats.csv; echo "status $?"
kstats gaps data/sync_once/app_hip_api_trace.csv
