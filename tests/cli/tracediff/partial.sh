# Compared all the same: judged by kernels, and the new one of 916 ms is what counts.
cd "$TESTDATA/rocprofv3/resnet" || exit 2
tracediff -q --allow partial -n 3 2117183_kernel_stats.csv 2118357_kernel_stats.csv
