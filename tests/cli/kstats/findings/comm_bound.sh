# Two ranks, four steps of 10 ms.  The host of rank 1 begins 3 ms late each time; both compute for 2 ms and communicate until 3 ms after
# both have come.  Rank 0 computes 2 ms more beside that.
#
#   rank 0   compute 0 to 4,  communicate 2 to 8: 4 ms exposed, of which 1 ms is waiting for rank 1
#   rank 1   compute 3 to 5,  communicate 5 to 8: 3 ms exposed, and no waiting
#
# Without transfer each step ends 3 ms earlier: 12 ms in all, and rank 1 has nothing to gain beyond these.  The 12 ms that rank 0 waits
# are not to be subtracted from the 16 ms that it is exposed: during 8 of these 12 ms it computes.  But as half of its communication
# is waiting, it is not communication that is heavy: no more than late-rank is found.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
	for (i = 0; i < 4; i++)
		for (r = 0; r < 2; r++) {
			t = i * 10 + (r ? 3 : 0)
			printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d\n", r, r + 1, t * 1e6, (t + (r ? 2 : 4)) * 1e6
			printf "kernel,kernel,%d,%d,7,4,2,ncclDevKernel_x,%d,%d\n", r, r + 1, (t + 2) * 1e6, (i * 10 + 8) * 1e6
		}
}' >events.csv
kstats collectives -q -f csv --ranks --columns rank,waited_ns,transfer_ns events.csv
kstats findings -q -f csv --columns id,saves_ns,title events.csv | grep 'comm-heavy\|late-rank'
kstats findings -q --explain comm-heavy events.csv
