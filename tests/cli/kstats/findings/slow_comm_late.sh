# Two pairs of ranks each meet in an all-reduce of their own and then all four in another one, ten times.  That of the first pair takes 100 us, that of the
# second 400, which is what slow-comm says: 10 * 300 us.  So nobody is late to the all-reduce of all four, though ranks 2 and 3 come
# 300 us after the others.  Then rank 3 computes another 50 us before it: that is what it is late, 10 * 50 us.
rows() {
	awk -v late="$1" 'function row(r, name, type, comm, n, from, to) {
			printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%d,%d,%d,%d\n", r, r + 1, name, type, comm, n, n ? 1000 : 0, from * 1e3, to * 1e3
		}
		BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (i = 0; i < 10; i++)
			for (r = 0; r < 4; r++) {
				t = i * 1000
				end = t + (r < 2 ? 200 : 500)
				row(r, "Cijk_a", "", "", 0, t, t + 100)
				row(r, "ncclDevKernel_x", "ncclAllReduce", r < 2 ? "a" : "b", 2, t + 100, end)
				if (r == 3 && late)
					row(r, "Cijk_a", "", "", 0, end, end + late)
				row(r, "ncclDevKernel_x", "ncclAllReduce", "all", 4, end + (r == 3 ? late : 0), t + 900)
			}
	}'
}
for late in 0 50; do
	rows $late >events.csv
	kstats collectives -q --ranks -f csv --columns rank,late_ns,pattern events.csv
	kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep -E 'late-rank|slow-comm'
done
