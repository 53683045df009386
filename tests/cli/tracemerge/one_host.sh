# Two ranks whose traces name the same host and count the same clock: nothing is moved, whatever may be asked for.
for r in a b; do
	cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" $r.db
	suffix=$(sqlite3 $r.db "SELECT substr(name, length('rocpd_string') + 1) FROM sqlite_schema WHERE name LIKE 'rocpd\_string%' ESCAPE '\\' LIMIT 1")
	sqlite3 $r.db "CREATE TABLE \"rocpd_info_node$suffix\"(id INTEGER, hostname TEXT)" \
		"INSERT INTO \"rocpd_info_node$suffix\" VALUES (1, 'node-1')"
done
for how in auto realtime collectives; do
	tracemerge --align $how -o run.db 0=a.db 1=b.db 2> err
	sed 's/, [0-9]* bytes.*//' err
	sqlite3 run.db 'SELECT method, offset_ns, residual_ns FROM clock'
done
kstats ranks -q -f csv --columns rank,host,clock,clock_error_ns run.db
