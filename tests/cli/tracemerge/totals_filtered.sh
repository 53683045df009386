# Totals and filters: what sums do not say is an error, not a table without it, and what is kept of all work is not
# what a filter leaves, whatever the question is called.
run=$TESTDATA/rocprofv3/7.0/run
tracemerge -q --stats-only -o run.db "$run"
for what in '--stream 0' '--thread 1' '--domain all --agent 4'; do
	# shellcheck disable=SC2086 # an option and its value
	kstats top $what -f csv run.db
	echo "$what: $?"
done
for what in '--agent 4' '-k e' '--class gemm'; do
	# shellcheck disable=SC2086
	kstats top $what -q -f csv "$run" > want
	# shellcheck disable=SC2086
	kstats top $what -q -f csv run.db | cmp - want && wc -l < want
done
tracemerge -q --stats-only --stream 0 -o stream.db run.db
echo $?
# "timeline" has an e, too.
tracemerge -q --stats-only -k e -o few.db run.db
kstats timeline -f csv few.db
echo $?
