# Sums without events answer top; a window needs events and says so.
tracemerge -q --stats-only -o run.db "$TESTDATA/rocprofv3/7.0/demo"
sqlite3 run.db "SELECT (SELECT count(*) FROM sqlite_schema WHERE name = 'kernel'), (SELECT count(*) FROM packed_rollup) > 0"
kstats top -q -f csv "$TESTDATA/rocprofv3/7.0/demo" > want
kstats top -q -f csv run.db > got
cmp want got; echo $?
kstats top -w 1.. run.db
