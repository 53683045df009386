# Each of two databases has a rank 0 by order; together they are 0 and 1, as if merged at once.
for f in one no_newline; do cp "$TESTDATA/rocprofv3/7.0/hostile/${f}_kernel_trace.csv" .; done
tracemerge -q -o a.db one_kernel_trace.csv
tracemerge -q -o b.db no_newline_kernel_trace.csv
tracemerge -q -o c.db a.db b.db
tracemerge -q -o d.db one_kernel_trace.csv no_newline_kernel_trace.csv
for db in a b c d; do sqlite3 "$db.db" 'SELECT path, rank, rule FROM input'; done
