# No markers in the input.
kstats regions -f csv "$TESTDATA"/rocprofv3/6.2/run/4242_kernel_trace.csv
