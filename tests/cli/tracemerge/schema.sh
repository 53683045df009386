# The SQL it prints makes the tables it writes.
tracemerge --schema > schema.sql
sqlite3 fresh.db < schema.sql
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/demo"
sqlite3 fresh.db .schema > want
sqlite3 run.db .schema > got
cmp want got; echo $?
sqlite3 fresh.db 'PRAGMA application_id; PRAGMA user_version'
# Those of totals; in the database without comments.
tracemerge --stats-only --schema > schema.sql
sed 's/--.*//' schema.sql | sqlite3 fresh2.db
tracemerge -q --stats-only -o totals.db "$TESTDATA/rocprofv3/7.0/demo"
sqlite3 fresh2.db .schema > want
sqlite3 totals.db .schema > got
cmp want got; echo $?
sqlite3 totals.db 'SELECT name FROM sqlite_schema WHERE sql IS NOT NULL'
