# Statistics do not say when kernels ran.
cd "$TESTDATA/rocprofv3/resnet" || exit 2
tracediff --on window --allow partial 2117183_kernel_stats.csv 2118357_kernel_stats.csv
