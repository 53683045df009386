# 601 collectives in a minute, 0.1 s apart, which both ranks leave within 400 ns of one another; the clock of rank 1
# began an hour later and gains 50 ppm: 3 ms by the end.  An offset alone would leave 1.5 ms at either end; a
# line leaves no more than the 400 ns.  Rank 0 is the one that is furthest ahead.
for r in 0 1; do
	awk -v r=$r 'BEGIN {
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\""
		for (i = 0; i <= 600; i++) {
			t = 100000000 * i
			end = 3700000000000 + t + (i * 7919) % 400
			if (r)
				end = 100000000000 + t + t / 20000 + (i * 104729) % 400
			printf "\"KERNEL_DISPATCH\",4,1,1,\"ncclDevKernel_Generic(ncclDevKernelArgs)\",%d,%.0f,%.0f\n", i, end - 20000 - (i * 31 + r * 17) % 97 * 1000, end
		}
	}' > rank$r.csv
done
tracemerge -o run.db rank0.csv rank1.csv 2> err
sed 's/, [0-9]* bytes.*//' err
sqlite3 run.db 'SELECT input, method, residual_ns <= 700, rate FROM clock' 'SELECT part, pairs, max_ns <= 450, error_ns <= 700 FROM clock_part'
# Ends of the first, one in the middle and the last, of rank 1 less those of rank 0, in the view and from tracecat.
sqlite3 run.db "SELECT abs(b.\"end\" - a.\"end\") <= 500 FROM kernels a JOIN kernels b ON b.id = a.id + 601 WHERE a.id IN (1, 300, 601)"
tracecat --columns rank,start_ns,end_ns run.db > cat.csv
sqlite3 run.db 'SELECT rank, start, "end" FROM kernels ORDER BY id' | tr '|' ',' > view.csv
sed 1d cat.csv | cmp - view.csv
tracecat info -f csv --columns rank,aligned,drift_ppm run.db
# Durations, and all that is asked of one rank, are what they were.
same() {
	kstats "$@" -q -f csv rank0.csv rank1.csv > raw
	kstats "$@" -q -f csv run.db | cmp - raw
}
same top --per rank
same timeline
same gaps
same top -w +10s..+20s
# Merged again it is aligned anew, not once more; and without.
tracemerge -q -o again.db run.db
sqlite3 run.db 'SELECT * FROM clock; SELECT * FROM clock_part' > want
sqlite3 again.db 'SELECT * FROM clock; SELECT * FROM clock_part' | cmp - want
tracemerge -q --align none -o none.db again.db
sqlite3 none.db 'SELECT DISTINCT method, offset_ns, origin_ns, rate FROM clock; SELECT count(*) FROM clock_part'
