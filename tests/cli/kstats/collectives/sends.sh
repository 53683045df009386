# Four ranks in two stages of a pipeline, two steps.  The ranks of a stage meet in an all-reduce that ends 1000 us after the step began; all
# come at 600 us, but rank 3 at 900, for which rank 2 waits 300 us in each step: 600 us, all of the waiting there is.  Then
#
#   stage 0 (ranks 0, 1)   posts a receive, 1100 to 1520, and sends, 1110 to 1130
#   stage 1 (ranks 2, 3)   receives that, 1105 to 1130, and sends back, 1500 to 1520: 2 MB each way
#
#   pairs   communicators of ranks 0 and 2, 1 and 3: the n-th send of one is the n-th receive of the other, though the n-th kernels are two
#           receives, then two sends.  Shortest 20 us: 100 GB/s.  Forward the sender came 5 us later, back 400
#   group   one communicator of all four: who sends to whom is not known, so there is neither a bandwidth nor a skew, which would be of 420
#           or 25 us for the receives
#   names   kernels of those names, of which nothing else is known
#
# transfer_ns: of the all-reduces ranks 0 and 1 transfer 2 x 400 us, and ranks 2 and 3 2 x 100, as rank 2 waits 300.  Of the pairs the
# receive of 420 us waits 400 for its sender, and the send of 1110 runs inside it, so exposes nothing: 2 x 20 us more, 840 in all.  That of
# 1105 waits 5 of 25, and that of 1500 comes last: 2 x (20 + 20) us more, 280 in all.  For the others it is not known.
#
# In each of them the all-reduces and their ranks are the same, nobody is said to be late to a receive, and no kernel names differ.
events() {
	awk -v what="$1" 'function row(r, name, type, comm, n, bytes, from, to) {
		if (what == "names")
			type = comm = n = bytes = ""
		printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%s,%s,%d,%d\n", r, r + 1, name, type, comm, n, bytes, from * 1e3, to * 1e3
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (i = 0; i < 2; i++)
			for (r = 0; r < 4; r++) {
				t = i * 2000
				row(r, "ncclDevKernel_AllReduce_Sum", "ncclAllReduce", "tp" int(r / 2), 2, 1000, t + (r == 3 ? 900 : 600), t + 1000)
				comm = what == "pairs" ? "pp" r % 2 : "pp"
				n = what == "pairs" ? 2 : 4
				first = r < 2 ? "1100 1520 1110 1130" : "1105 1130 1500 1520"
				split(first, at, " ")
				row(r, "ncclDevKernel_SendRecv", "ncclRecv", comm, n, 2000000, t + at[1], t + at[2])
				row(r, "ncclDevKernel_SendRecv", "ncclSend", comm, n, 2000000, t + at[3], t + at[4])
			}
	}'
}
for what in pairs group names; do
	events $what >$what.csv
	echo "$what"
	kstats collectives -f csv --columns op,comm,ranks,count,total_ns,skew_p50_ns,algbw_gb_per_s,busbw_gb_per_s,last_rank $what.csv
	kstats collectives -q -f csv --ranks --columns rank,last,waited_ns,late_ns,late_pct,pattern,transfer_ns $what.csv
done 2>&1
kstats collectives -q -f csv --list --columns comm,index,name,ranks,arrival_skew_ns,min_dur_ns,last_rank,busbw_gb_per_s -w ..2000us pairs.csv
tracemerge -q --stats-only -o pairs.db pairs.csv
tracemerge -q --align none -o run.db pairs.csv
kstats collectives -q -f csv pairs.csv >want
for db in pairs.db run.db; do kstats collectives -q -f csv $db | cmp - want; done
