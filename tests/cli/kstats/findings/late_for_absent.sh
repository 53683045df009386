# Data parallel ranks, each of which has a tensor parallel one beside it without a trace: 1 is with 0, 3 with 2 and so on.  Four steps of 1 ms.
# A rank computes for 200 us and comes to an all-reduce with its neighbor, which ends 20 us later, but that of ranks 4 and 5 120 us later, as 5 is
# slow.  Then all that have a trace meet: rank 4 comes 100 us after the others, because it waited, for 5 or for a slow link.  So it is not late,
# whatever 5 is.
#
# Where the all-reduce takes as long on all of them and rank 4 computes for 100 us more, it is: 4 * 100 us.
events() {
	awk -v own="$1" 'BEGIN {
		print "kind,domain,rank,pid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			for (r = 0; r < 8; r += 2) {
				t = i * 1000
				k = t + 200 + (r == 4 && own ? 100 : 0)
				e = k + 20 + (r == 4 && !own ? 100 : 0)
				printf "kernel,kernel,%d,%d,4,1,Cijk_a,,,,%d,%d\n", r, r + 1, t * 1000, k * 1000
				printf "kernel,kernel,%d,%d,4,1,ncclDevKernel_x,ncclAllReduce,tp %d,2,%d,%d\n", r, r + 1, r, k * 1000, e * 1000
				printf "kernel,kernel,%d,%d,4,1,ncclDevKernel_x,ncclAllReduce,dp,4,%d,%d\n", r, r + 1, (e + 1) * 1000, (t + 350) * 1000
			}
	}'
}
for own in '' 1; do
	events $own >events.csv
	kstats collectives -q --ranks -f csv --columns rank,late_ns,pattern events.csv
	kstats findings -q -f csv --columns rank,id,title events.csv | grep -E 'late-rank|absent'
done
