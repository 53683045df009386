# madengine's perf.csv: the direction is in the name of the metric (tokens/sec up, ms down), of "widgets" nobody
# knows; the last row of a model is the newest (240, not 200); a failed run has no number.
cd "$TESTDATA/madengine/2.0/perf" || exit 2
libperf compare -f csv --columns problem,status,speedup,significant,note before after
