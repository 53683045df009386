# 32 pairs of ranks that meet 24 times, 1 ms apart.  Each computes for 400 us and up to 60 us more, which pseudorandom numbers say; a transfer
# takes 100 us.  The expected delay is the same for all, but of 64 ranks that are late in half of 24 collectives some cause 60 % of the delay of
# their pair.  That is chance, and nobody is late often.  Of two such ranks it would not be.
#
#   slow   rank 20 computes for 40 us more: late in almost all, it causes nearly all of the delay
#   long   rank 20 computes for 200 us more in the third collective and for 300 us in the eighth, which others never do
events() {
	awk -v what="$1" 'BEGIN {
		print "kind,domain,rank,pid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		x = 1
		for (i = 0; i < 24; i++)
			for (r = 0; r < 64; r++) {
				x = (x * 16807) % 2147483647
				k = 400000 + x % 60000
				if (r == 20 && what == "slow")
					k += 40000
				if (r == 20 && what == "long" && (i == 2 || i == 7))
					k += i == 2 ? 200000 : 300000
				if (r % 2 == 0)
					before = k
				t = i * 1000000
				for (one = r - 1; r % 2 && one <= r; one++) {
					own = one < r ? before : k
					printf "kernel,kernel,%d,%d,4,1,Cijk_a,,,,%d,%d\n", one, one + 1, t, t + own
					printf "kernel,kernel,%d,%d,4,1,ncclDevKernel_x,ncclAllReduce,%d,2,%d,%d\n", one, one + 1, r, t + own,
						t + (before > k ? before : k) + 100000
				}
			}
	}'
}
for what in chance slow long; do
	events $what >events.csv
	echo $what
	kstats collectives -q --ranks -f csv --columns rank,late_pct,pattern events.csv | awk -F, '$2 >= 60' | sed 's/\([0-9]\)\.[0-9]*/\1/' >late
	wc -l <late
	grep often late
done
true
