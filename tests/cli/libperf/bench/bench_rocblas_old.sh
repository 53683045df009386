# No function and no types: the command line in the log says them, and is a column.
# Of 3.5 the time is "rocblas-us".
cd "$TESTDATA/rocblas" || exit 2
libperf bench 5.7/bench/gemm.txt 3.5/bench/gemm.txt
