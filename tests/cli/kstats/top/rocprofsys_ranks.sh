# omnitrace under MPI: the label says the rank.
cd "$TESTDATA/omnitrace/1.11" || exit
kstats top -q -f csv --domain marker --per rank --columns rank,name,calls,total_ns,avg_ns ranks
