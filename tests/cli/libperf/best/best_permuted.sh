# The order of the files does not matter.
cd "$TESTDATA" || exit 2
libperf best -q -f csv hipblaslt/7.0 rocblas/6.4 pytorch >"$TMPDIR/a"
libperf best -q -f csv pytorch rocblas/6.4 hipblaslt/7.0/tuning hipblaslt/7.0/bench >"$TMPDIR/b"
cmp "$TMPDIR/a" "$TMPDIR/b"
status=$?
rm "$TMPDIR/a" "$TMPDIR/b"
exit $status
