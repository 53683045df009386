# Totals as rows, and those as totals again, answer as before: inputs that have no sums (agents) are totals, too.
tracemerge -q --stats-only -o a.db "$TESTDATA"/rocprofv3/7.0/run
tracemerge -q -o rows.db a.db
tracemerge -q --stats-only -o again.db rows.db
for table in timeline summary classes sync; do
	kstats $table -q -f csv a.db | sed 's/a\.db/X/' > want
	for db in rows again; do
		kstats $table -q -f csv $db.db | sed "s/$db\.db/X/" | cmp - want
	done
	wc -l < want
done
kstats summary -q -f csv again.db | grep busy_pct
