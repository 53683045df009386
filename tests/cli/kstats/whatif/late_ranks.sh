# Three ranks, four steps, all of it launched ahead between 0.1 and 0.13 ms; work begins at 1 ms.  A rank computes for 2 ms, rank 2 for 4, then 1.5 ms more beside an
# all-reduce of 1 ms, and the next step begins when both are through.
#
#   rank 2         a step takes 4 + 1.5 ms: 22 in all
#   ranks 0 and 1  come to the all-reduce at 2, 7, 12.5 and 18, rank 2 at 4, 9.5, 15 and 20.5: 9.5 ms late in all.  They have nothing else
#                  to do for 1.5 ms in the first step and for 2 in the others, so that late-rank says no more than 7.5
#
# When nobody waits for rank 2 a step takes 3.5 ms: 14 after the 0.9 ms of calls, where the others ended at 22.4, so that 7.5 are saved;
# 8 if rank 2 was as fast.  It ended at 22.9, and would 7.5 earlier, at 15.4.  Balanced, a step takes (2 + 2 + 4) / 3 + 1.5 ms: 17.566664 in all.
#
#   pairs   two more ranks meet each other alone, neither is late, and take 5.25 ms a step, 21 in all: 1 ms is
#           saved of all, but the others save 7.5 of theirs
#   tail    rank 2 works alone for 10 ms after that, which it has to do anyway: of 32.9 ms 7.5 are saved
#   sends   they send to each other instead, which nobody is late for: the same
rows() {
	awk -v what="$1" 'function row(kind, r, stream, name, corr, comm, from, to, call, type) {
		call = kind == "api"
		type = comm == "" ? "" : comm == "all" || what == "pairs" ? "ncclAllReduce" : r == 3 ? "ncclSend" : "ncclRecv"
		printf "%s,%s,%d,%d,%s,%s,%s,%s,%d,%s,%s,%s,%d,%d\n", kind, call ? "hip" : "kernel", r, r + 1, call ? 1 : "", call ? "" : 4, stream,
			name, corr, type, comm, comm == "" ? "" : comm == "all" ? 3 : 2, from * 1e6 + 1000000, to * 1e6 + 1000000
	}
	function calls(r, i, n, at, name) {
		for (n = 0; n < 7; n++) {
			at = (i * 7 + n) / 1000 - 0.9
			name = n == 1 || n == 4 ? "hipEventRecord" : n == 2 || n == 5 ? "hipStreamWaitEvent" : "hipLaunchKernel"
			if (n != 6)
				row("api", r, "", name, i * 10 + n + 1, "", at, at + 0.0005)
		}
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,corr,type,comm,comm_ranks,start_ns,end_ns"
		ranks = what == "alone" || what == "tail" ? 3 : 5
		for (r = 0; r < ranks; r++)
			free[r] = 0
		for (i = 0; i < 4; i++) {
			last = 0
			for (r = 0; r < 3; r++) {
				done[r] = free[r] + (r == 2 ? 4 : 2)
				last = done[r] > last ? done[r] : last
			}
			for (r = 0; r < ranks; r++) {
				if (r > 2)
					done[r] = free[r] + 4.25
				met = (r > 2 ? done[r] : last) + 1
				calls(r, i)
				row("kernel", r, 1, "Cijk_a", i * 10 + 1, "", free[r], done[r])
				row("kernel", r, 2, "ncclDevKernel_x", i * 10 + 4, r > 2 ? "few" : "all", done[r], met)
				if (r < 3) {
					row("api", r, "", "hipLaunchKernel", i * 10 + 7, "", (i * 7 + 3.5) / 1000 - 0.9, (i * 7 + 3.9) / 1000 - 0.9)
					row("kernel", r, 1, "Cijk_b", i * 10 + 7, "", done[r], done[r] + 1.5)
				}
				free[r] = r < 3 && done[r] + 1.5 > met ? done[r] + 1.5 : met
			}
		}
		if (what == "tail") {
			row("api", 2, "", "hipLaunchKernel", 99, "", -0.87, -0.8695)
			row("kernel", 2, 1, "Cijk_b", 99, "", free[2], free[2] + 10)
		}
	}'
}
for what in alone tail pairs sends; do
	rows $what >$what.csv
	echo $what
	kstats whatif -q -f csv --only 'late ranks on time' --columns scenario,predicted_ns,low_ns,high_ns,saved_gpu_ns $what.csv
	kstats findings -q -f csv --columns rank,id,saves_ns $what.csv | grep 'late-rank'
done
kstats whatif -q -f csv --only 'late ranks on time;ranks balanced' --ranks --columns scenario,rank,predicted_ns alone.csv
