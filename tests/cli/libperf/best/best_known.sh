# 4096^3: 196 (tuning file), 198 (TunableOp), 200, 240 (rocBLAS), 299.5, 300: 198/196 is 1.02 %, a tie.
# 2048^3: 118 against a median of 120 us: a tie.  8192x64x8192: 101 against 111 of another file: 9.9 %.
cd "$TESTDATA" || exit 2
libperf best -f csv hipblaslt/7.0 hipblaslt/7.2 rocblas/6.4 pytorch
