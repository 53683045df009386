# Two processes in one rocpd database, whose environments say 4 and 5 of 8 (RANK; mpirun only counted two of
# them, Slurm's batch step none): each is a trace with its rank, its host, and its own losses.
f=$TESTDATA/rocpd/3.0.0/ranks/merged.db
cd "$TESTDATA/rocpd/3.0.0/ranks" || exit
tracecat info -q -f csv --columns path,rank,rank_rule,host,rows,skipped merged.db
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns merged.db
# Merged it is the same, and beside the merged one it counts once.
tracemerge -q -o "$TMPDIR/run.db" merged.db
tracecat info -q -f csv --columns path,rank,rank_rule,host,rows,skipped "$TMPDIR/run.db"
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns merged.db "$TMPDIR/run.db"
rm "$TMPDIR/run.db"
# What is given wins.
kstats top -q -f csv --per rank --columns rank,calls,total_ns 7="$f"
