# Four ranks compute 10 ms and then meet for 1 ms, 40 times; once rank 3 computes for 40 ms.
#
# The others wait 30 ms for it.  Each time rank 1 comes 10 us after the rest, which is 39 x 10 us of lateness, so that rank 1 came last most
# often, and rank 3 has 30 of 30.39 ms, 98.7 %: it is late, but to one collective.  It is not called a late rank, and the time of waiting is
# not counted again as what fewer collectives would save.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
	for (i = 1; i <= 40; i++) {
		most = i == 20 ? 40000000 : 10010000
		for (r = 0; r < 4; r++) {
			ns = r == 3 && i == 20 ? 40000000 : r == 1 && i != 20 ? 10010000 : 10000000
			who = r "," r ",7,4,1"
			printf "kernel,kernel,%s,Cijk_a,%d,%d\n", who, t, t + ns
			printf "kernel,kernel,%s,ncclDevKernel_x,%d,%d\n", who, t + ns, t + most + 1000000
		}
		t += most + 1000000
	}
}' >events.csv
kstats collectives -q -f csv --ranks --columns rank,last,late_ns,late_pct,late_max_ns,late_max_pct events.csv
kstats findings -q -f csv --columns rank,id,severity,saves_ns,title,command events.csv
