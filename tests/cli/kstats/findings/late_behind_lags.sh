# 8 ranks, 20 steps.  At the end of each is an all-reduce of all, to which one rank comes 300 us later by its host: 20 * 300 = 6.000 ms
# for all that is saved without, whatever was before.
#
#   clock   50 all-reduces of groups of 4 in each step; the clock of the late rank is 10 us ahead.  That is 10 us, however often it is seen
#   hidden  meanwhile an all-reduce of each pair, of the first with the late rank 500 us and of others 100, all under 1000 us of compute
events() {
	awk -v what="$1" 'function row(r, stream, name, type, comm, n, from, to,  ahead) {
		ahead = what == "clock" && r == 5 ? 10 : 0
		printf "kernel,kernel,%d,%d,7,4,%d,%s,%s,%s,%s,%s,%d,%d\n", r, r + 1, stream, name, type, comm, n, n ? 1000 : "",
			(from + ahead) * 1e3, (to + ahead) * 1e3
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		late = what == "clock" ? 5 : 0
		for (i = t = 0; i < 20; i++) {
			for (k = 0; what == "clock" && k < 50; k++) {
				for (r = 0; r < 8; r++) {
					row(r, 1, "Cijk_a", "", "", "", t, t + 10)
					row(r, 1, "ncclDevKernel_x", "ncclAllReduce", "tp" int(r / 4), 4, t + 10, t + 60)
				}
				t += 60
			}
			for (r = 0; what == "hidden" && r < 8; r++) {
				row(r, 1, "Cijk_a", "", "", "", t, t + 1000)
				row(r, 2, "ncclDevKernel_x", "ncclAllReduce", "p" int(r / 2), 2, t + 10, t + 10 + (r < 2 ? 500 : 100))
			}
			t += what == "hidden" ? 1000 : 0
			for (r = 0; r < 8; r++)
				row(r, 2, "ncclDevKernel_x", "ncclAllReduce", "all", 8, t + 1 + (r == late ? 300 : 0), t + 401)
			t += 401
		}
	}'
}
for what in clock hidden; do
	echo $what
	events $what | kstats findings -q -f csv --columns rank,id,saves_ns - | grep late
done
