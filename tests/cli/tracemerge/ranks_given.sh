# The command line has the first word on ranks, also over databases.
tracemerge -q 7="$TESTDATA/rocprofv3/7.0/hostile/one_kernel_trace.csv" -o seven.db
tracemerge -q -o eight.db 8=seven.db
sqlite3 seven.db 'SELECT rank, rule FROM input'
sqlite3 eight.db 'SELECT rank, rule FROM input'
