# Ranks on two nodes whose clocks are 100 us apart compute for 600 us, and communicate until all have come, and for 300 us more.  Each of
# four times they seem to come 100 us apart, and all their kernels to end 100 us apart: they came together, or all but.
#
#   ok     rank 1, on the other node, comes 4 us late in two of the four.  From the second time on it was let go 100 us later than
#          rank 0, so that of 104 us 4 are its own.  The first time is the clock, as far as the ends tell: 8 us are late, a note
#   late   it comes 300 us late each time.  Of 400 us 300 are not the clock: 400 + 3 * 300 = 1300, it is late
#   nodes  ranks 0 and 1 are of one node, 2 and 3 of the other; they first communicate with the rank beside them three times, which end at
#          one time on both, then 0 with 2 and 1 with 3.  The median of the ends is 0, but not for ranks 0 and 2, who are not apart
events() {
	awk -v what="$1" 'function pair(a, b, name, t, skew, late,    r, from) {
		for (r = a; r <= b; r += b - a) {
			from = t + (r == b ? skew : 0)
			row(r, "Cijk_a", "", "", from, from + 600 + (r == b ? late : 0))
			row(r, "ncclDevKernel_x", "ncclAllReduce", name, from + 600 + (r == b ? late : 0), from + 900 + late)
		}
	}
	function row(r, name, type, comm, from, to) {
		printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,,%d,%d\n", r, r + 1, name, type, comm, from * 1e3, to * 1e3
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 4; i++) {
			t = i * 10000
			if (what == "ok")
				pair(0, 1, "x", t, 100, i % 2 * 4)
			if (what == "late")
				pair(0, 1, "x", t, 100, 300)
			for (k = 0; what == "nodes" && k < 3; k++) {
				pair(0, 1, "a", t + k * 1000, 0, 0)
				pair(2, 3, "b", t + k * 1000 + 100, 0, 0)
			}
			if (what == "nodes") {
				pair(0, 2, "c", t + 3000, 100, 0)
				pair(1, 3, "d", t + 3000, 100, 0)
			}
		}
	}'
}
for what in ok late nodes; do
	events $what >events.csv
	kstats collectives -q -f csv --ranks --columns rank,late_ns,late_pct,pattern events.csv
	kstats findings -q -f csv --columns rank,id,severity,saves_ns,title events.csv | grep 'rank,\|late-'
done
