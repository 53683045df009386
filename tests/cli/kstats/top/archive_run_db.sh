# A run.db, or a file of totals, in an archive counts once beside the traces that it was made of, another database of them, and itself;
# databases of two ranks in archives count both.  Lines: the same answer as of the traces.
cp -r "$TESTDATA/rocprofv3/7.0/demo" traces && tracemerge -q -o traces/run.db traces
tracemerge -q --no-index -o again.db traces/run.db && tracemerge -q --stats-only -o totals.db traces
tar czf all.tgz traces && tar cf run.tar traces/run.db && tar cf again.tar again.db && tar cf totals.tar totals.db && rm traces/run.db
kstats top -q -f csv traces >top.csv
kstats timeline -q -f csv traces | cut -d , -f 2- >timeline.csv
ask() {
	kstats top -q -f csv "$@" | cmp - top.csv && kstats timeline -q -f csv "$@" | cut -d , -f 2- | cmp - timeline.csv && echo "same: $*"
}
for with in all.tgz "traces run.tar" "run.tar traces" "traces totals.tar" "run.tar again.tar" "again.tar totals.tar" "totals.tar again.db" \
	"again.db totals.tar" "totals.tar totals.db" "all.tgz run.tar totals.tar again.db traces"; do
	# shellcheck disable=SC2086 # several
	ask $with
done
kstats top -f csv traces run.tar | cmp - top.csv
# databases of two ranks are two
sh "$ROOT/tests/cli/two_ranks"
for r in 0 1; do
	tracemerge -q -o "r$r.db" "rank$r" && tar cf "r$r.tar" "r$r.db"
done
kstats top -q -f csv --per rank rank0 rank1 >two && kstats top -q -f csv --per rank r0.tar r1.tar | cmp - two && cut -d , -f 1,4,5 two
