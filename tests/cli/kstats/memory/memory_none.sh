# Nothing of this kind, statistics only, scratch memory only.
ln -s "$TESTDATA" data
kstats memory -f csv data/rocprofv3/7.0/run/app_kernel_trace.csv
kstats memory -f csv data/rocprofv3/7.0/stats/app_memory_allocation_stats.csv
kstats memory -f csv data/rocprofv3/7.1/run/7171_scratch_memory_trace.csv
