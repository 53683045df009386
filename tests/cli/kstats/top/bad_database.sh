# Not a database after the magic, a database cut short, one of nobody's, one whose tables are views.
f=$TESTDATA/rocpd/3.0.0/small/70_results.db
{ printf 'SQLite format 3\000'; head -c 4000 /dev/zero; } >zeros.db
head -c 9000 "$f" >cut.db
head -c 100 "$f" >header.db
sqlite3 views.db 'CREATE TABLE x(a); CREATE VIEW rocpd_string AS SELECT 1; CREATE VIEW rocpd_kernel_dispatch AS SELECT 1'
cp "$f" later.db
sqlite3 later.db "UPDATE rocpd_metadata_0000000a_0000_7000_8000_000000000000 SET value='4.1.0' WHERE tag='schema_version'"
cp "$f" short.db
sqlite3 short.db 'ALTER TABLE rocpd_kernel_dispatch_0000000a_0000_7000_8000_000000000000 RENAME COLUMN start TO begin'
for b in zeros cut header views later short; do
	kstats top "$b.db"
	echo "$b: $?"
done
cd "$TESTDATA" && kstats top --from rpd rocpd/3.0.0/small/70_results.db
