# Stages of a pipeline, four rounds each.  An all-reduce, and what is sent, takes 10 us from when both have come.
#
#   tensor  Two stages of two ranks.  Rank 0 computes for 100 us twice, rank 1 for 150 us; an all-reduce on another stream after each, and the
#           second kernel does not wait for the first one.  Then both send to the other stage, which computes for 50 us four times and meets as well.
#
#                           rank 0 comes at   rank 1    it ends at
#             all-reduce 1         100 us     150 us        160 us
#             all-reduce 2         200 us     300 us        310 us, and 210 us with rank 1 on time
#
#           Rank 1 is late by 50 and 100 us, but of the first delay rank 0 notices nothing: 4 * 100 us are saved, not 4 * 150.
#   stage   Two stages of one rank.  Rank 0 computes for 200 us forward and back again, rank 1 for 100 us between, where both kernels of
#           rank 0 could take as long.  Then they meet, rank 0 last by 200 us.  If the all-reduce began without it, rank 1 would wait for what
#           it sends: it is what it sends earlier that saves 4 * 200 us.
events() {
	awk -v what="$1" 'function row(r, stream, name, type, comm, from, to) {
		printf "kernel,kernel,%d,%d,4,%d,%s,%s,%s,%s,%d,%d\n", r, r + 1, stream, name, type, comm, comm == "" ? "" : 2, from * 1000, to * 1000
	}
	function tensor(t, r, k) {
		for (r = 0; r < 2; r++) {
			k = r ? 150 : 100
			row(r, 1, "Cijk_a", "", "", t, t + k)
			row(r, 2, "ncclDevKernel_AllReduce", "ncclAllReduce", "0-1", t + k, t + 160)
			row(r, 1, "Cijk_a", "", "", t + k, t + 2 * k)
			row(r, 2, "ncclDevKernel_AllReduce", "ncclAllReduce", "0-1", t + 2 * k, t + 310)
			row(r, 2, "ncclDevKernel_SendRecv", "ncclSend", "to " r, t + 310, t + 320)
			row(r + 2, 1, "ncclDevKernel_SendRecv", "ncclRecv", "to " r, t ? t + 210 : 0, t + 320)
			for (k = 0; k < 4; k++)
				row(r + 2, 1, "Cijk_b", "", "", t + 320 + 50 * k, t + 370 + 50 * k)
			row(r + 2, 1, "ncclDevKernel_AllReduce", "ncclAllReduce", "2-3", t + 520, t + 530)
		}
		return t + 320
	}
	function stage(t) {
		row(0, 1, "Cijk_a", "", "", t, t + 200)
		row(0, 1, "ncclDevKernel_SendRecv", "ncclSend", "pp", t + 200, t + 210)
		row(1, 1, "ncclDevKernel_SendRecv", "ncclRecv", "pp", t, t + 210)
		row(1, 1, "Cijk_a", "", "", t + 210, t + 310)
		row(1, 1, "Cijk_a", "", "", t + 310, t + 410)
		row(1, 1, "ncclDevKernel_SendRecv", "ncclSend", "pp", t + 410, t + 420)
		row(0, 1, "ncclDevKernel_SendRecv", "ncclRecv", "pp", t + 210, t + 420)
		row(0, 1, "Cijk_a", "", "", t + 420, t + 620)
		row(0, 1, "ncclDevKernel_AllReduce", "ncclAllReduce", "all", t + 620, t + 630)
		row(1, 1, "ncclDevKernel_AllReduce", "ncclAllReduce", "all", t + 420, t + 630)
		return t + 630
	}
	BEGIN {
		print "kind,domain,rank,pid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			t = what == "tensor" ? tensor(t) : stage(t)
	}'
}
for what in tensor stage; do
	events $what >events.csv
	echo $what
	kstats collectives -q --ranks -f csv --columns rank,late_ns,pattern events.csv
	kstats findings -q -f csv --columns rank,id,saves_ns events.csv | grep 'late-rank'
done
