# A trace that calls none of the problems is no weight for them: nothing became faster, and no gate is passed.
cd "$TESTDATA" || exit 2
ask() {
	libperf compare -q -f csv --columns problem,status,speedup --fail-over 5 --trace "$TMPDIR/trace.csv" \
		hipblaslt/7.0/bench/default.txt hipblaslt/7.0/bench/tuned.txt
	echo $?
}
head -n 1 madengine/2.0/library/library_trace.csv >"$TMPDIR/trace.csv" && ask | head -n 2
# other problems alone
grep -v -e 4096 -e 8192 -e 2048 -e 1024 -e 512 -e 128 -e 256 madengine/2.0/library/library_trace.csv >"$TMPDIR/trace.csv" && ask
rm "$TMPDIR/trace.csv"
