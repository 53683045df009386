# What the trace never calls cannot fail: without the 16000 calls of 8192x64x8192 there is none.
cd "$TESTDATA" || exit 2
grep -v 16000 madengine/2.0/library/library_trace.csv >"$TMPDIR/trace.csv"
libperf compare -q -f csv --columns problem,status,calls,speedup --fail-over 5 --trace "$TMPDIR/trace.csv" \
	hipblaslt/7.0/bench/default.txt hipblaslt/7.0/bench/tuned.txt
status=$?
rm "$TMPDIR/trace.csv"
exit $status
