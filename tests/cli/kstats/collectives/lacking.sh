# Three ranks meet in five all-reduces, of which the trace of rank 2 lacks the first two.  All come at 100 us, but rank 1 at 130, and leave at
# 150 us of each 1000 us.  Their numbers (op_count) say which is which; the n-th of one rank is not the n-th of the others.
#
# Of the first two it is not known who was last.  In the three others ranks 0 and 2 wait 30 us for rank 1.  The order says something else:
# numbers are given up where one rank has none, and then the kernels of three rows do not overlap.
events() {
	awk -v numbers="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,op_count,bytes,start_ns,end_ns"
		for (r = 0; r < 3; r++)
			for (i = r == 2 ? 2 : 0; i < 5; i++)
				printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,ncclAllReduce,tp,3,%s,1000,%d,%d\n", r, r + 1,
					r || numbers ? 7 + i : "", i * 1000000 + (r == 1 ? 130000 : 100000), i * 1000000 + 150000
	}'
}
events 1 >events.csv
kstats collectives -f csv --list events.csv
kstats collectives -q -f csv --ranks --columns rank,last,waited_ns,late_ns,pattern events.csv
kstats collectives -q -f csv events.csv
tracemerge -q --stats-only -o totals.db events.csv
kstats collectives -q -f csv --list events.csv >want
kstats collectives -q -f csv --list totals.db | cmp - want
events '' >order.csv
kstats collectives -f csv --columns op,count,ranks,skew_p50_ns order.csv
