# The same answer from databases, from one with sums only the rows (no single durations, so Welch's t).
cd "$TESTDATA/rocprofv3/7.0" || exit 2
tracemerge -q -o "$TMPDIR/a.db" sync_each
tracemerge -q -o "$TMPDIR/b.db" sync_once
tracemerge -q --stats-only -o "$TMPDIR/sa.db" sync_each
tracediff -q -f csv sync_each sync_once >"$TMPDIR/csv"
tracediff -q -f csv "$TMPDIR/a.db" "$TMPDIR/b.db" | cmp - "$TMPDIR/csv"
# The sums of both are the same, so that without times they are one run.
tracediff -f csv --allow self --columns name,status,delta_ns,p_value,test "$TMPDIR/sa.db" "$TMPDIR/b.db" 2>"$TMPDIR/err"
status=$?
rm -r "${TMPDIR:?}"/*
exit $status
