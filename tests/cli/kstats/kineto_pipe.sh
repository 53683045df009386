# From a pipe the base time at the end cannot be known in time: durations are right, and a note says so.
head -c 1000000 "$TESTDATA/kineto/7.0/step/worker_77.pt.trace.json" | kstats top -f csv --columns name,total_ns -
