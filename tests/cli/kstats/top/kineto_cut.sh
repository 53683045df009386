# A run that was killed: what is there counts, the place is named, and the status says it is not all.
head -c 5000 "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json" > cut.json
kstats top -f csv --columns name,calls,total_ns cut.json
