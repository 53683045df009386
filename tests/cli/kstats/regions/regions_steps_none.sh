# Nothing repeats: an error, never a guess.
kstats regions --steps "$TESTDATA"/rocprofv3/7.0/demo/1234_kernel_trace.csv
