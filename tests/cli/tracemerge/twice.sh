# The same trace in two databases counts once, with a note; so for kstats.
cp "$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" one.csv
tracemerge -q -o a.db one.csv
tracemerge -q -o b.db --no-index one.csv
tracemerge -o c.db a.db b.db 2> err
grep -v seconds err
sqlite3 c.db 'SELECT count(*) FROM kernel'
kstats top -f csv --columns calls a.db b.db
