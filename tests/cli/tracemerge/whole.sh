# Sums of all ranks are kept, in any merge the same, and read in place of those of each; not where they are of others.
for i in 0 1 2; do
	tracemerge -q --stats-only -o $i.db "$i=$TESTDATA/rocprofv3/7.0/demo"
done
tracemerge -q --stats-only --align none -o all.db 0.db 1.db 2.db
tracemerge -q --stats-only --align none -o part.db 0.db 1.db
tracemerge -q --stats-only --align none -o again.db part.db 2.db
tracemerge -q --align none -o rows.db 0.db 1.db 2.db
kstats top -q -f csv 0.db 1.db 2.db > want
for db in all.db again.db rows.db; do
	sqlite3 $db 'SELECT inputs, rollups, id FROM packed_whole'
	kstats top -q -f csv $db | cmp - want
done
sqlite3 0.db 'SELECT count(*) FROM packed_whole'
for db in all.db again.db rows.db; do
	sqlite3 $db 'SELECT hex(bytes) FROM packed_whole' > $db.hex
	cmp all.db.hex $db.hex
done
sqlite3 all.db 'DELETE FROM packed_rollup'
kstats top -q -f csv all.db | cmp - want
sqlite3 all.db 'UPDATE packed_whole SET inputs = inputs + 1'
kstats top -q -n 1 all.db || echo $?
# Not where there is more to be told of each: calls without times.
head -n 3 "$TESTDATA/rccl/releases/releases.log" > rccl.log
for i in 3 4; do
	tracemerge -q --stats-only -o $i.db $i=rccl.log
done
tracemerge -q --stats-only --align none -o logs.db 0.db 3.db 4.db
kstats top -n 1 logs.db
sqlite3 logs.db 'SELECT count(*) FROM packed_whole'
