# Three stages of a pipeline, of a rank each, as in slow_stage; but RCCL runs sends and receives in kernels of the same name as collectives,
# which the trace does not tell apart.  At the end all meet.  The middle stage has 9 of them, the others 5, so that the n-th of each have nothing to do with each
# other: none of that says how long one waited, nor that the traces of the others lack any.
#
#   balanced   nothing is known of what communication costs: comm-heavy has no saving
#   slow       stage 1 computes for 16 ms and the others for 8: 1.5 times the mean, and 8 ms longer than they, 5.33 above the mean
#   apart      as slow, but each node has its own clock
events() {
	awk -v what="$1" 'function row(r, name, from, to) {
		shift = what == "apart" ? r * 1000 : 0
		printf "kernel,kernel,%d,%d,7,4,1,%s,%d,%d\n", r, r + 1, name, (from + shift) * 1e6, (to + shift) * 1e6
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			for (r = 0; r < 3; r++) {
				ms = r == 1 && what != "balanced" ? 4 : 2
				if (r) {
					begin = free[r] > done[r - 1] ? free[r] : done[r - 1]
					row(r - 1, "ncclDevKernel_Generic_1", done[r - 1], begin + 1)
					row(r, "ncclDevKernel_Generic_1", free[r] + 0, begin + 1)
					free[r - 1] = free[r] = begin + 1
				}
				row(r, "Cijk_a", free[r] + 0, free[r] + ms)
				done[r] = free[r] = free[r] + ms
				met = free[r]
			}
		for (r = 0; r < 3; r++)
			row(r, "ncclDevKernel_Generic_1", free[r], met + 1)
	}'
}
for what in balanced slow apart; do
	events $what >events.csv
	echo $what
	kstats collectives -q -f csv --ranks --columns rank,transfer_ns,missing_pct,longer_ns events.csv
	kstats findings -q -f csv --columns rank,id,severity,saves_ns,title events.csv | grep 'comm-heavy\|uneven\|late\|stage'
done
