# Four ranks that all-reduce once in each of ten steps of 10 ms: 2 ms of work, 1 ms of communication.  Rank 3 works 4 ms, and the others wait
# 2 ms for it.  The traces of ranks 2 and 3 begin with the sixth step.
#
# In its trace rank 3 computes as long as ranks 0 and 1 do in theirs, 20 ms, and rank 2 half of that.  The mean is 17.5 ms, of which 20 ms are
# 1.14 times; but that says how much of the run is in the trace of a rank, not who has more work.  Ranks 2 and 3 lack half of the collectives.
#
# Where all are in the trace, rank 3 computes 40 ms, and the mean is 25 ms: 1.6 times.
#
# Ranks that never communicate are compared as they are: 1.6 times, and 15 of 94 ms above the mean.
events() {
	awk -v what="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,op_count,start_ns,end_ns"
		for (r = 0; r < 4; r++)
			for (i = what == "part" && r > 1 ? 5 : 0; i < 10; i++) {
				t = i * 10
				work = r == 3 ? 4 : 2
				printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,,,,,%d,%d\n", r, r + 1, t * 1e6, (t + work) * 1e6
				if (what != "alone")
					printf "kernel,kernel,%d,%d,7,4,2,ncclDevKernel_x,ncclAllReduce,dp,4,%d,%d,%d\n", r, r + 1, i, (t + work) * 1e6, (t + 5) * 1e6
			}
	}'
}
for what in part all alone; do
	events $what >$what.csv
	echo $what
	kstats collectives -q -f csv --ranks --columns rank,missing_pct,pattern $what.csv 2>&1
	kstats findings -q -f csv --columns id,severity,title $what.csv | grep -e uneven -e late
done
