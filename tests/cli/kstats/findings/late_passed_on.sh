# Four ranks, three steps of 20 ms.  A rank computes for 2 ms, then meets the other of its row (0 and 1, 2 and 3), and then the other of its
# column (0 and 2, 1 and 3), 1 ms each.
#
#   once      in the second step rank 3 computes for 8 ms.  Rank 2 waits 6 ms for it in their row, and ranks 0 and 1 wait 6 ms in the columns.
#             It is one delay of 6 ms, of rank 3; that rank 2 comes late to its column is because it waited.
#   often     rank 3 computes for 8 ms in each step: 18 ms, not 36
#   own       rank 3 computes for 8 ms in the first step.  In the second rank 2 computes 2 ms more before its column: 2 ms of rank 2, although
#             it waited in the first step, as that was over when they met in the column
events() {
	awk -v what="$1" 'function row(r, name, type, comm, from, to) {
		printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%s,%d,%d\n", r, r + 1, name, type, comm, type == "" ? "" : 2, from * 1e6, to * 1e6
	}
	function most(a, b) {
		return a > b ? a : b
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 3; i++) {
			t = 20 * i
			for (r = 0; r < 4; r++) {
				slow = r == 3 && (what == "often" || i == (what == "once"))
				begin[r] = t + (slow ? 8 : 2)
				row(r, "Cijk_a", "", "", t, begin[r])
			}
			for (r = 0; r < 4; r++) {
				end = most(begin[r], begin[r < 2 ? 1 - r : 5 - r]) + 1
				row(r, "ncclDevKernel_x", "ncclAllReduce", "row " int(r / 2), begin[r], end)
				then[r] = end + (what == "own" && r == 2 && i == 1 ? 2 : 0)
				if (then[r] > end)
					row(r, "Cijk_a", "", "", end, then[r])
			}
			for (r = 0; r < 4; r++)
				row(r, "ncclDevKernel_x", "ncclAllReduce", "column " r % 2, then[r], most(then[r], then[(r + 2) % 4]) + 1)
		}
	}'
}
for what in once often own; do
	events $what >events.csv
	echo $what
	kstats collectives -q -f csv --ranks --columns rank,waited_ns,late_ns,late_pct,late_max_ns,pattern events.csv
	kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep 'late-'
	tracemerge -q --stats-only -o totals.db events.csv
	kstats collectives -q -f csv --ranks events.csv >want
	kstats collectives -q -f csv --ranks totals.db | cmp - want
done
