# rocBLAS against hipBLASLt: the same problems, whoever answers.
cd "$TESTDATA" || exit 2
libperf compare -f csv rocblas/6.4 hipblaslt/7.0/tuning
