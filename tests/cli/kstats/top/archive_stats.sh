# Trace and statistics of one run inside an archive: the trace counts.
set -e
mkdir run
cp "$TESTDATA"/rocprofv3/7.0/run/app_kernel_trace.csv "$TESTDATA"/rocprofv3/7.0/stats/app_kernel_stats.csv run
tar -cf t.tar run/app_kernel_trace.csv run/app_kernel_stats.csv
kstats top -f csv --name base t.tar
