# Three ranks, twelve rounds of 1 ms, of which rank 1 and 2 compute in turn for 800 us, all others for 500.  Beside that each begins an all-reduce after
# 100 us, who is late after 400; it ends at 450 us.  What is computed hides it.  When all is computed they begin another one, which ends at 900 us.
# Rank 0 waits 300 us each time, 24 * 300 = 7200 us, and has nothing else to do for 400 us of each round.  But who is late has nothing else to do
# for 100 us: if nobody was late the rounds were 300 us shorter, 12 * 300 = 3600 us.
awk 'function row(r, stream, name, type, from, to) {
		printf "kernel,kernel,%d,%d,7,4,%d,%s,%s,%s,%d,%d\n", r, r + 1, stream, name, type, type ? "c" : "", from * 1e3, to * 1e3
	}
	BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,start_ns,end_ns"
	for (i = 0; i < 12; i++)
		for (r = 0; r < 3; r++) {
			t = i * 1000
			late = r == 1 + i % 2 ? 300 : 0
			row(r, 1, "Cijk_a", "", t, t + 500 + late)
			row(r, 2, "ncclDevKernel_x", "ncclAllReduce", t + 100 + late, t + 450)
			row(r, 2, "ncclDevKernel_x", "ncclAllReduce", t + 500 + late, t + 900)
		}
}' >events.csv
kstats collectives -q --ranks -f csv --columns rank,waited_ns,wait_cost_ns,pattern events.csv
kstats findings -q -f csv --columns rank,id,saves_ns events.csv | grep late
