# Every schema version, two kernels in each; the producer is guessed from what only it has.
for v in 0 1 2 3 4 5; do
	kstats top -f csv --columns name,calls,total_ns "$TESTDATA/rocpd/3.0.$v/small/70_results.db" >out || exit
	cat out
done
tracecat info -f csv --columns format,producer,rows,kinds "$TESTDATA"/rocpd/3.0.?/small
