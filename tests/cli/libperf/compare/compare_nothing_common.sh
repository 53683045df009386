# Nothing measured on both sides: shown, and an error.
cd "$TESTDATA" || exit 2
libperf compare -f csv --columns problem,library,status hipblaslt/6.3 rocblas/5.7
