# Kernels but no API calls: nothing can be said, but what to trace can.
ln -s "$TESTDATA" data
kstats sync -f csv data/rocprofv3/7.0/run/app_kernel_trace.csv
