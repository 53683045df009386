# Two jobs of two ranks each that do not communicate with each other.  In each of four steps of 10 ms a rank computes for 2 ms and
# communicates with the other of its job until both have come, and 1 ms more.
#
#   ranks 0 and 1   rank 1 begins 5 ms late each time, and rank 0 waits 20 ms: 100 % of the waiting of that job
#   ranks 2 and 3   once:  rank 3 begins 0.2 ms late in the second step alone: 100 % of theirs, but 0.2 ms
#                   turns: they begin 3 ms late in turn: each waits 6 of the 10 ms of its kernels, and comes late for half of the waiting
#
# What is said of rank 1 does not depend on the others, nor the reverse: each finding has the name, the value and the saving of one rank.
events() {
	awk -v what="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			for (r = 0; r < 4; r++) {
				late[0] = 0
				late[1] = 5
				late[2] = what == "turns" && i % 2 ? 3 : 0
				late[3] = what == "turns" && !(i % 2) ? 3 : what == "once" && i == 1 ? 0.2 : 0
				a = r < 2 ? 0 : 2
				most = late[a] > late[a + 1] ? late[a] : late[a + 1]
				t = i * 10 + late[r]
				printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,,,,%d,%d\n", r, r + 1, t * 1e6, (t + 2) * 1e6
				printf "kernel,kernel,%d,%d,7,4,2,ncclDevKernel_x,ncclAllReduce,job %d,2,%d,%d\n", r, r + 1, a,
					(t + 2) * 1e6, (i * 10 + most + 3) * 1e6
			}
	}'
}
for what in once turns; do
	events $what >events.csv
	kstats collectives -q -f csv --ranks --columns rank,waited_ns,waited_pct,late_ns,late_pct,late_max_ns,late_max_pct,pattern events.csv
	kstats findings -q -f csv --columns rank,id,severity,saves_ns,title events.csv | grep 'rank,\|late-'
done
