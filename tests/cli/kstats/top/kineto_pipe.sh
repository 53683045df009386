# What a pipe and an archive give is what the file gives, times of the day included: the base time at the
# end is looked up first, by way of a nameless copy.
# shellcheck disable=SC2002 # pipes, and no files
f=$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json
gzip -c "$f" >w.json.gz
tar -cf w.tar -C "${f%/*}" "${f##*/}"
for c in "kstats top -f csv -q" "kstats timeline -f csv -q" "kstats gaps --list -f csv -q" "kstats regions --steps -f csv -q" \
	"kstats memory --list -f csv -q" "kstats copies -f csv -q" "tracecat -q"; do
	$c "$f" >want
	for x in "$f" w.json.gz w.tar; do
		cat "$x" | $c - >got || echo "$c: status $?"
		cmp want got && echo "$c: the same"
	done
done
# No room for the copy: durations are right, and a note says what is not.
cat "$f" | TMPDIR=/nowhere kstats top -f csv --columns name,total_ns -
cat "$f" | TMPDIR=/nowhere tracecat --columns kind,start_ns - >short
head -n 3 short
