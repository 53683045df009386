# 66 ranks, more than are replayed together.  In each of ten steps of 10 ms all compute for 1 ms and meet until 1 ms after the last one, but
# the host of rank 1 begins 6 ms late: the others wait 60 ms in collectives of 70 ms, and transfer for 10.
#
# Each by itself would gain 30 % of 70 ms from faster collectives, 21 ms; but what they wait for rank 1 they do not gain.  No communication at
# all would save 10 ms, and that is what less of it saves at most.  Most of it is waiting, so that comm-heavy says nothing.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
	for (i = 0; i < 10; i++)
		for (r = 0; r < 66; r++) {
			t = i * 10 + (r == 1 ? 6 : 0)
			printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d\n", r, r + 1, t * 1e6, (t + 1) * 1e6
			printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,%d,%d\n", r, r + 1, (t + 1) * 1e6, (i * 10 + 8) * 1e6
		}
}' >events.csv
kstats whatif -q -f csv --apart --only 'collectives x 0.7' --columns scenario,saved_ns events.csv
kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep 'late-\|comm'
