# For people.
cd "$TESTDATA" || exit 2
libperf best hipblaslt/7.0 rocblas/6.4
