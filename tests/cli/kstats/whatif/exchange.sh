# Two ranks that exchange after each of two batches, one stream each; all is launched before the first millisecond is over, when the work
# begins.  Rank 0 computes for 3 ms and then for 1, rank 1 the other way round; the exchange takes 1 ms from when both are there.
#
#   rank 0   compute 0 to 3, exchange to 4, compute to 5, exchange to 8
#   rank 1   compute 0 to 1, exchange to 4, compute to 7, exchange to 8
#
# Both have the same kernels in the same order, so the n-th are the same work, although they send and receive: of 2 ms each, and the second
# exchange ends at 6.  With the 0.9 ms from the first call on these are 6.9 ms of 8.9.
awk 'function row(r, comm, from, to) {
	n++
	printf "kernel,kernel,%d,%d,,4,1,%s,%d,%s,%s,%s,%d,%d\n", r, r + 1, comm ? "ncclDevKernel_SendRecv" : "Cijk_a", n,
		comm ? r ? "ncclRecv" : "ncclSend" : "", comm ? "pp" : "", comm ? 2 : "", from * 1e6 + 1000000, to * 1e6 + 1000000
	printf "api,hip,%d,%d,1,,,hipLaunchKernel,%d,,,,%d,%d\n", r, r + 1, n, 100000 + m[r] * 1000, 100500 + m[r] * 1000
	m[r]++
}
BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,corr,type,comm,comm_ranks,start_ns,end_ns"
	row(0, 0, 0, 3)
	row(0, 1, 3, 4)
	row(0, 0, 4, 5)
	row(0, 1, 5, 8)
	row(1, 0, 0, 1)
	row(1, 1, 1, 4)
	row(1, 0, 4, 7)
	row(1, 1, 7, 8)
}' >events.csv
kstats whatif -q -f csv --only 'ranks balanced' --columns window_ns,predicted_ns,low_ns,high_ns events.csv
kstats whatif -q -f csv --balance --ranks --columns rank,predicted_ns events.csv
