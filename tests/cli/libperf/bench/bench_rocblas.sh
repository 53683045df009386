# Functions with columns of their own in one file, complex numbers as "(1: 0)".
cd "$TESTDATA/rocblas/6.4/bench" || exit 2
libperf bench gemm.txt
