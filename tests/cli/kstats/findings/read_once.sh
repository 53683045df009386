# One reading is for all tables, so that what can be read only once has the same findings as a file: the files of
# sync_each in one archive, from a pipe.  Only where clocks drift the replay, which has durations of the common
# clock, reads again: the clock of rank 1 gains 2^30 / 2^44 = 1 / 16384, so that the 85000 ns that waits cost are
# 85005 there, in findings as in whatif.  From a pipe that cannot be: what they cost is not known then.
cp -r "$TESTDATA/rocprofv3/7.0/sync_each" .
tar cf both.tar sync_each
kstats findings -q -f csv --columns id,saves_ns both.tar >file || exit
tar cf - sync_each | kstats findings -q -f csv --columns id,saves_ns - | cmp - file || exit
tar cf - sync_each | kstats summary -q -f csv - | grep '^finding.1.saves_ns'
tracemerge -q --align none -o run.db 0=sync_each 1=both.tar
sqlite3 run.db 'UPDATE clock SET method = "collectives", rate = 1 << 30 WHERE input > 2'
kstats findings -q -f csv --columns id,saves_ns run.db
kstats whatif -q -f csv --only "launches free;no host syncs" --columns scenario,saved_ns run.db
head -c 9999999 run.db | kstats findings -q -f csv --columns id,saves_ns -
