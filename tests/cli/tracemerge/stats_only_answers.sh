# Totals of two ranks, merged, answer what lists no single event with the bytes of the traces; what needs events is
# refused by name.  Rank 1 is the same trace as rank 0.
demo=$TESTDATA/rocprofv3/7.0/demo
for rank in 0 1; do
	tracemerge -q --stats-only -o $rank.db $rank="$demo"
done
tracemerge -q --stats-only -o run.db 1.db 0.db
for table in timeline gaps ranks efficiency; do
	kstats $table -q -f csv 0="$demo" 1="$demo" > want
	kstats $table -q -f csv run.db | cmp want - && wc -l < want
done
kstats timeline --rank 1 --columns rank,window_ns,busy_ns -q -f csv run.db
# Not a row of what nobody knows.
for words in 'gaps --list' 'timeline -w 1..' 'timeline --short 3' path findings 'ranks --collectives'; do
	# shellcheck disable=SC2086
	kstats $words -f text run.db
	echo $?
done
# The summary, without what needs events; rules of what there is.
kstats summary -f csv 0="$demo" 1="$demo" 2> /dev/null | grep -v ^finding > want
kstats summary -f csv run.db | cmp want - && wc -l < want
kstats summary run.db 2> /dev/null | grep events
tracecheck --rule 'timeline.idle_pct < 50' --rule 'ranks[*].busy_ns > 1' --rule 'path[*].pct > 0' -f csv run.db
echo $?
# Their classes are those built in, whoever asks.
printf 'memory\t.*\n' > all.tsv
kstats summary --classes all.tsv -f csv run.db
kstats findings --classes all.tsv -f csv 1.db
kstats findings -w 1.. -f csv 1.db
tracecheck --classes all.tsv --rule 'timeline.compute_ns > 0' --rule 'classes[gemm].calls > 0' -f csv 1.db
# Some of a rank as totals, the rest as events.
tracemerge -q --stats-only -o part.db 0="$demo"/1234_kernel_trace.csv
kstats timeline -f csv part.db 0="$demo"/1234_hip_api_trace.csv
echo $?
# One rank in two files, and one whose state is gone or cut.
tracemerge -q --stats-only -o other.db 0="$TESTDATA"/rocprofv3/7.0/run
kstats timeline -q -f csv 0.db other.db > /dev/null
sqlite3 0.db "UPDATE state SET bytes = substr(bytes, 1, 20)"
sqlite3 1.db "DELETE FROM state"
kstats timeline -f text 0.db 1.db
