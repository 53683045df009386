# Clocks half a second apart and not aligned: who came last is not known, and so is how often and how long.  Of 90 us on rank 0 and 40 on
# rank 1 a collective transfers for 40 at most: 120 in all on both.
awk 'BEGIN {
	print "kind,rank,agent,name,start_ns,end_ns"
	for (r = 0; r < 2; r++)
		for (i = 1; i <= 3; i++)
			printf "kernel,%d,4,ncclDevKernel_AllReduce(x),%d,%d\n", r, i * 1000000 + r * 500050000, i * 1000000 + 90000 + r * 500000000
}' >apart.csv
kstats collectives -q --ranks -f csv apart.csv
tracecheck -q --rule 'collectives(--ranks)[1].caused_wait_us < 1' apart.csv
echo "status $?"
tracemerge -q --stats-only -o apart.db apart.csv
kstats collectives -q --ranks -f csv apart.db
