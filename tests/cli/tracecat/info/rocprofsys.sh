# What info says of tables of rocprof-sys: which, of whom, the rank and how it is known.
cd "$TESTDATA" || exit
tracecat info -q -f csv --columns format,table,producer,rank,rank_rule,kinds,skipped,lost,path rocprofsys omnitrace
