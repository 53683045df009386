# The database may be one of its own inputs, and what was there stays until all is done.
tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/ranks/rank0"
tracemerge -q -o run.db run.db "$TESTDATA/rocprofv3/7.0/ranks/rank1"
sqlite3 run.db 'SELECT rank FROM input ORDER BY rank'
tracemerge -q -o run.db no/such/file; echo $?
sqlite3 run.db 'SELECT rank FROM input ORDER BY rank'
ls
