# Two ranks, named by their directories; every event leads to its rank.
tracemerge -q "$TESTDATA/rocprofv3/7.0/ranks" > run.db
sqlite3 run.db 'SELECT rank, count(*), sum(duration) FROM kernels GROUP BY rank'
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns "$TESTDATA/rocprofv3/7.0/ranks" > want
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns run.db > got
cmp want got
