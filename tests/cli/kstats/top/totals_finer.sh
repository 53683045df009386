# Totals know ranks and agents, nothing finer and nothing of when: what they cannot divide is an error, not a
# table without the division.
ln -s "$TESTDATA" data
tracemerge -q --stats-only -o totals.db data/rocprofv3/7.0/run/app_kernel_trace.csv
kstats top -f csv --per agent data/rocprofv3/7.0/run/app_kernel_trace.csv > want
kstats top -f csv --per agent totals.db | cmp - want
for what in '--per queue' '--per agent,stream' '--per shape' '-w 0..1ms'; do
	# shellcheck disable=SC2086 # an option and its value
	kstats top $what totals.db
	echo "$what: $?"
done
