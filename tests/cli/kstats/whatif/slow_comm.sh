# Two pairs of ranks each meet in an all-reduce of their own and then all four in another one, ten times without a pause.  A rank computes for
# 100 us; the all-reduce of the first pair takes 100 us, that of the second 400, and what all share another 100: 600 us a round.  In the second
# round the ranks of the second pair have also computed for 300 us more.  If the second pair was as fast as the first one, each round would take 300 us
# less, of 6300 us 3000.  The ranks of a pair are one apart in both; not where the second pair is ranks 2 and 9, nor where it has 60 % of the
# bandwidth of the first: it takes 166 us then, and 66 us a round are not taken for slow.
rows() {
	awk -v last="$1" -v slow="$2" 'function row(r, name, type, comm, n, from, to) {
			printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%s,%s,%d,%d\n", r, r + 1, name, type, comm, n, n ? 1000 : "", from * 1e3, to * 1e3
		}
		BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (i = t = 0; i < 10; i++) {
			more = i == 1 ? 300 : 0
			for (k = 0; k < 4; k++) {
				r = k < 3 ? k : last
				begin = t + 100 + (k < 2 ? 0 : more)
				end = begin + (k < 2 ? 100 : slow)
				row(r, "Cijk_a", "", "", "", t, begin)
				row(r, "ncclDevKernel_x", "ncclAllReduce", k < 2 ? "a" : "b", 2, begin, end)
				row(r, "ncclDevKernel_x", "ncclAllReduce", "all", 4, end, t + 200 + slow + more)
			}
			t += 200 + slow + more
		}
	}'
}
for what in '3 400' '9 400' '3 166'; do
	rows "${what% *}" "${what#* }" >events.csv
	echo "$what"
	kstats whatif -q -f csv --only 'slow communicators usual' --columns window_ns,predicted_ns,saved_gpu_ns events.csv 2>&1
	kstats findings -q -f csv --columns id,saves_ns events.csv | grep slow-comm
done
true
