# Two actors and two learners, 1 ms each.  An actor computes for 300 us, and then waits in its one collective.  The learners have
# five rounds of 200 us: rank 2 computes for 100 us, rank 3 for 150, both then meet until 160 us, and compute for 40 us more.
#
#                      exposed            at work
#   actors             700 us             300 us
#   rank 2             5 * 60 us          700 us
#   rank 3             5 * 10 us          950 us
#
# Learners communicate five times as often as actors, and do other work: rank 3 works for 250 us longer than rank 2, which does
# not work longer than others do.
rows() {
	awk 'function row(r, name, from, to) {
		printf "kernel,kernel,%d,%d,4,%s,%d,%d\n", r, r + 1, name, from * 1000, to * 1000
	}
	BEGIN {
		print "kind,domain,rank,pid,agent,name,start_ns,end_ns"
		for (r = 0; r < 2; r++) {
			row(r, "attention", 0, 300)
			row(r, "ncclDevKernel_x", 300, 1000)
		}
		for (r = 2; r < 4; r++)
			for (t = 0; t < 1000; t += 200) {
				met = t + (r == 2 ? 100 : 150)
				row(r, "Cijk_a", t, met)
				row(r, "ncclDevKernel_x", met, t + 160)
				row(r, "Cijk_a", t + 160, t + 200)
			}
	}'
}
rows >events.csv
kstats collectives -q --ranks -f csv --columns rank,longer_ns events.csv
kstats findings -q -f csv --columns rank,id,saves_ns events.csv | grep uneven
