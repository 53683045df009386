# Which columns there are, and their order, does not depend on the order of the files.
cd "$TESTDATA" || exit 2
libperf bench rocblas miopen/3.5 hipblaslt/7.0 | head -n 1 >"$TMPDIR/a"
libperf bench hipblaslt/7.0 miopen/3.5 rocblas | head -n 1 >"$TMPDIR/b"
cmp "$TMPDIR/a" "$TMPDIR/b"
cat "$TMPDIR/a"
rm "$TMPDIR/a" "$TMPDIR/b"
