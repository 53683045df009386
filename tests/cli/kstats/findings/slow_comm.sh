# Two pairs of ranks each meet eight times in an all-reduce of 1000 bytes: a takes 100 us, and b 400 us.  Once rank 3 comes 100 us
# earlier and its kernel takes 500, but that of rank 2 takes 400 then, too, and the shortest counts.  So b has a quarter of the bandwidth of
# a, and takes 8 x 300 us = 2.4 ms more.  Not compared are others of another size, in fewer than eight collectives (the first ones of a run
# are slow), in a larger communicator, and sends.  The run would not be shorter: what follows begins 500 us later in any case.
awk 'function row(r, type, comm, n, bytes, from, to) {
		printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,%s,%s,%d,%d,%d,%d\n", r, r + 1, type, comm, n, bytes, from * 1e3, to * 1e3
	}
	BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
	for (i = 0; i < 8; i++)
		for (r = 0; r < 4; r++) {
			t = i * 4000
			row(r, "ncclAllReduce", r < 2 ? "a" : "b", 2, 1000, t + (r == 3 && !i ? 0 : 100), t + (r < 2 ? 200 : 500))
			row(r, "ncclAllReduce", r < 2 ? "a" : "b", 2, r < 2 ? 2000 : 3000, t + 1000, t + (r < 2 ? 1100 : 1500))
			if (i)
				row(r, "ncclReduce", r < 2 ? "a" : "b", 2, 1000, t + 2000, t + (r < 2 ? 2100 : 2500))
			row(r, "ncclAllReduce", "all", 4, 1000, t + 3000, t + 3010)
			row(r, r % 2 ? "ncclSend" : "ncclRecv", r < 2 ? "a" : "b", 2, 1000, t + 3100, t + (r < 2 ? 3200 : 3500))
		}
}' >events.csv
kstats collectives -q -f csv --columns op,comm,ranks,bytes,count,busbw_gb_per_s,best_pct,slow_ns events.csv
kstats findings -q -f csv --columns rank,id,severity,saves_ns,title events.csv | grep 'rank,\|slow-comm'
