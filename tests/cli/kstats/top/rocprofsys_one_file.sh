# timemory puts the ranks of a job into one file, those without rows left out: each is a trace of its own, solve
# stands in main of rank 0 only.
cat >wall_clock.json <<'EOF'
{"timemory": {"wall_clock": {"unit_value": 1000000000, "unit_repr": "sec", "mpi_size": 3, "num_ranks": 3, "ranks": [
 {"rank": 0, "graph_size": 2, "graph": [
  {"prefix": "|0>>> main", "depth": 0, "entry": {"laps": 1, "accum": 100}, "stats": {"min": 0.0000001, "max": 0.0000001}},
  {"prefix": "|0>>> |_solve", "depth": 1, "entry": {"laps": 2, "accum": 60}, "stats": {"min": 0.00000003, "max": 0.00000003}},
  {"prefix": "no label", "depth": 1}]},
 {"rank": 2, "graph_size": 1, "graph": [
  {"prefix": "|0>>> main", "depth": 0, "entry": {"laps": 1, "accum": 300}, "stats": {"min": 0.0000003, "max": 0.0000003}}]}
]}}}
EOF
kstats top -q -f csv --domain marker --per rank --columns rank,name,calls,total_ns wall_clock.json || exit
tracecat info -f csv --columns rank,rows,skipped,path wall_clock.json
# Two elements of one rank are no ranks: all of it is one trace.
sed 's/"rank": 2/"rank": 0/' wall_clock.json >twice.json
kstats top -q -f csv --domain marker --per rank --columns rank,name,calls,total_ns twice.json
