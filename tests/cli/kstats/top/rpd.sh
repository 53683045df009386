# rpd, two sessions with ids and strings of their own.  Each: fill 100, Cijk 400, three steps of a graph 50
# each, which no view of kernels shows.  The copies alike on two GPUs count twice, not once.
cd "$TESTDATA" || exit
kstats top -f csv --columns name,calls,total_ns rpd/2/sessions/trace.rpd
kstats top -q -f csv --domain copy --columns name,calls,total_ns rpd/2/sessions/trace.rpd
kstats top -q -f csv --domain marker --columns name,calls,total_ns rpd/2/sessions/trace.rpd
kstats top -q -f csv --per shape --columns grid,workgroup,name,calls rpd/2/sessions/trace.rpd
