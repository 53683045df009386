# Totals that are there once more in an archive, or in two archives, count once; with ranks of their own they are two.
run=$TESTDATA/rocprofv3/7.0/run
tracemerge -q --stats-only -o s.db "$run"
tar -cf a.tar s.db
tar -czf b.tar.gz s.db
for table in top timeline classes sync; do
	kstats $table -q -f csv s.db > want
	for two in 's.db a.tar' 'a.tar b.tar.gz'; do
		# shellcheck disable=SC2086 # two operands
		kstats $table -q -f csv $two | cmp - want
	done
	wc -l < want
done
kstats top -q -f csv --columns calls a.tar s.db
kstats top -f csv --columns calls 0=s.db 1=a.tar
