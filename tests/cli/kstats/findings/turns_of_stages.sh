# Two stages of a pipeline, ranks 0 and 1, 2 and 3, eight steps of 10 ms.  Of the two of a stage one comes to an all-reduce after 1 ms, the other
# 0.1 ms later, in turn; it ends 0.1 ms after that, at 1.2.
#
#   ranks 2 and 3   compute until 7.9, send until 8, and come to the all-reduce of all, where they wait for 1 ms
#   ranks 0 and 1   receive until 8, compute, and come at 9: last, but because they waited.  All end at 9.1
#
# The others wait for most of their communication, but ranks do not take turns being late: with 0.1 ms in turn nobody waits for much.
# Without the pipeline, where the first two compute all the time and every other step the others, they do: 1 ms in turn.
events() {
	awk -v what="$1" 'function row(r, stream, name, type, comm, n, from, to) {
		printf "kernel,kernel,%d,%d,4,%d,%s,%s,%s,%s,%d,%d\n", r, r + 1, stream, name, type, comm, n, from * 1e6, to * 1e6
	}
	BEGIN {
		print "kind,domain,rank,pid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 8; i++)
			for (r = 0; r < 4; r++) {
				t = i * 10
				k = t + 1 + (r + i) % 2 / 10
				first = what == "stages" ? r < 2 : (r < 2) == i % 2
				row(r, 1, "Cijk_a", "", "", "", t, k)
				row(r, 1, "ncclDevKernel_AllReduce", "ncclAllReduce", "tp" int(r / 2), 2, k, t + 1.2)
				if (what == "stages" && first) {
					row(r, 1, "ncclDevKernel_SendRecv", "ncclRecv", "pp" r % 2, 2, t + 1.2, t + 8)
					row(r, 1, "Cijk_a", "", "", "", t + 8, t + 9)
				} else if (what == "stages") {
					row(r, 1, "Cijk_a", "", "", "", t + 1.2, t + 7.9)
					row(r, 1, "ncclDevKernel_SendRecv", "ncclSend", "pp" r % 2, 2, t + 7.9, t + 8)
				} else {
					row(r, 1, "Cijk_a", "", "", "", t + 1.2, first ? t + 9 : t + 8)
				}
				row(r, 1, "ncclDevKernel_AllReduce", "ncclAllReduce", "all", 4, first ? t + 9 : t + 8, t + 9.1)
			}
	}'
}
for what in stages turns; do
	events $what >events.csv
	echo $what
	kstats collectives -q --ranks -f csv --columns rank,waited_pct,late_ns,pattern,wait_cost_ns events.csv
	kstats findings -q -f csv --columns id,severity,saves_ns events.csv | grep 'late-'
done
