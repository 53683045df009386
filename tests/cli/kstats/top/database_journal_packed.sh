# A database in an archive, or compressed, cannot see a journal next to it: the journal itself is reported.  Not one
# that has no rows, nor twice if the database is next to it as it is.
mkdir run plain
cp "$TESTDATA/rpd/lite/trace_4321.db" run/t.db
{
	printf '\067\177\006\202'
	head -c 100 /dev/zero
} >run/t.db-wal
printf '\067\177\006\203%28s' '' >run/u.db-wal
cp run/t.db run/t.db-wal plain
tar cf run.tar run
gzip run/t.db
for input in run.tar run plain; do
	kstats top -f csv --columns name,calls $input; echo $?
done
rm run/t.db-wal
printf '\331\325\005\371\040\241\143\327%600s' '' >run/t.db-journal
kstats top -q --strict -f csv --columns name,calls run
