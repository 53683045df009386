# The same bytes from files, from a run.db, with one thread or many.
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/run"
rules() {
	tracecheck -q -f csv --preset training --rule 'top(--per agent,stream).avg_us < 30' --rule 'gaps(--list).gap_us < 5' \
		--rule 'sync.total_us < 7' --rule 'copies.gb_per_s > 1' --rule 'memory.peak_bytes < 5 KiB' \
		--rule 'regions.gpu_busy_us <= 60' --rule 'launch.queue_avg_us < 20' --rule 'timeline(-w 0%..50%).idle_pct < 9' "$@"
}
rules "$TESTDATA/rocprofv3/7.0/run"
rules -j 1 "$TESTDATA/rocprofv3/7.0/run" >one
rules -j 4 run.db >four
cmp one four
tracecheck -q --rule 'top.avg_us <= 30' --rule 'timeline.window_us < 9999' -f tsv --columns verdict,value run.db
tracecheck -q --rule 'top(-w 0%..50%).avg_us <= 30' -f tsv --columns verdict,value run.db
rm -f run.db
