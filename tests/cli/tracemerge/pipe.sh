# Through pipes on both sides; TMPDIR is empty again afterwards.
tracemerge -q "$TESTDATA/rocprofv3/7.0/demo" | cat > run.db
sqlite3 run.db 'PRAGMA integrity_check'
gzip -c run.db | gzip -dc | tracemerge -q - | kstats top -q -f csv - > got
kstats top -q -f csv "$TESTDATA/rocprofv3/7.0/demo" > want
cmp want got
