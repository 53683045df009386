# Eight ranks on two nodes, 0 to 3 and 4 to 7.  In each of eight rounds a rank all-reduces 1000 bytes with its neighbor on the node (0 and 1, 2
# and 3, 4 and 5, 6 and 7), in 100 us, and then with its counterpart on the other node (0 and 4, 1 and 5, 2 and 6, 3 and 7), in 800 us.  That
# the links between nodes are slower is no fault.
#
# Then the pair of 3 and 7 takes 2000 us: 40 % of the bandwidth of the other pairs between nodes.  It would take 8 * 1200 us less.  But the next
# round begins 900 us later in any case, when nobody waits for it any more: only the last one makes the run shorter, by 1200 us.
events() {
	awk -v link="$1" 'function row(r, comm, from, to) {
		printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,ncclAllReduce,%s,2,1000,%d,%d\n", r, r + 1, comm, from * 1e3, to * 1e3
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (i = 0; i < 8; i++)
			for (r = 0; r < 8; r++) {
				t = i * 3000
				row(r, "node " int(r / 2), t, t + 100)
				row(r, "between " r % 4, t + 100, t + (link && r % 4 == 3 ? 2100 : 900))
			}
	}'
}
for link in '' 1; do
	events $link >events.csv
	kstats collectives -q -f csv --columns comm,count,best_pct,slow_ns events.csv
	kstats findings -q -f csv --columns id,saves_ns,title events.csv | grep 'id,\|slow-comm'
done
