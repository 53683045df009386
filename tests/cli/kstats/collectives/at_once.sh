# Two ranks, three rounds of 1 ms.  In each, a rank computes, and then begins an all-reduce of communicator b and an all-gather of communicator
# a on two streams; rank 1 both at the same nanosecond, after 300 us, rank 0 after 100 and 110 us.  The all-reduce ends at 400 us, the
# all-gather at 500 us.
#
# Each communicator has three collectives, in which rank 0 waits 200 and 190 us for rank 1; they take 100 and 200 us.  What is exposed counts
# once: of rank 0 300 us of the all-reduce and then 100 us of the all-gather, of rank 1 100 and 100, so 3 * 400 us and 3 * 200 us.  All ranks
# are replayed as one job.
#
# Then the two of rank 1 end together as well, at 500 us.  Either may be either: they are two all the same.
events() {
	awk -v twice="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (r = 0; r < 2; r++)
			for (i = 0; i < 3; i++) {
				t = i * 1000000
				from = t + (r ? 300000 : 100000)
				printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,,,,,%d,%d\n", r, r + 1, t, from
				printf "kernel,kernel,%d,%d,7,4,2,ncclDevKernel_x,ncclAllReduce,b,2,1000,%d,%d\n", r, r + 1, from, t + (r && twice ? 500000 : 400000)
				printf "kernel,kernel,%d,%d,7,4,3,ncclDevKernel_x,ncclAllGather,a,2,2000,%d,%d\n", r, r + 1, from + (r ? 0 : 10000), t + 500000
			}
	}'
}
for twice in '' 1; do
	events $twice >events.csv
	kstats collectives -q -f csv --columns op,comm,ranks,bytes,count,total_ns,exposed_ns,skew_p50_ns,last_rank events.csv
	kstats collectives -q -f csv --ranks --columns rank,last,waited_ns,pattern events.csv
	kstats whatif -f csv --balance --columns scenario events.csv 2>&1 | grep -e separately -e balanced
	tracemerge -q --stats-only -o totals.db events.csv
	kstats collectives -q -f csv events.csv >want
	kstats collectives -q -f csv totals.db | cmp - want
done
