# Its own output is a table like others: read again it is the same, and the best of it is the best of what
# it was made of.
cd "$TESTDATA" || exit 2
libperf bench hipblaslt/7.0 rocblas/6.4 miopen/3.5 >"$TMPDIR/once.csv"
libperf bench "$TMPDIR/once.csv" >"$TMPDIR/twice.csv"
cmp "$TMPDIR/once.csv" "$TMPDIR/twice.csv"
libperf best -q -f csv hipblaslt/7.0 rocblas/6.4 miopen/3.5 >"$TMPDIR/a"
libperf best -q -f csv "$TMPDIR/once.csv" >"$TMPDIR/b"
cmp "$TMPDIR/a" "$TMPDIR/b"
status=$?
rm "$TMPDIR"/*
exit $status
