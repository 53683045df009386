# Three stages of a pipeline, of a rank each: four batches pass from stage 0 to stage 2.  Each stage computes for 2 ms and hands on in
# 1 ms, which begins when both are there; a stage posts its receive as soon as it is free.
#
#   balanced   the middle stage receives, computes and sends in 4 ms; all compute for 8 ms in all: 20 ms
#   slow       stage 1 computes for 4 ms each time, 16 ms in all, and its neighbors wait for it: 8 ms longer than they, 28 ms.  The same
#              pipeline with 2 ms takes 20: 8 ms are saved
#   host       the GPU of stage 1 is idle for these 2 ms more, and its neighbors wait as long: its host may be slow, or wait for others
#   token      as balanced, but stage 0 begins when stage 2 is through with the batch before, and is idle until then: the others wait
#              longer than it in receives, but all do the same work
#   names      as slow, but nobody knows who sends to whom
#   short      as balanced, but the trace of stage 0 ends after half: it worked less, and waited less
events() {
	awk -v what="$1" 'function row(r, name, type, from, to) {
		if (what == "short" && !r && from >= 10)
			return
		if (what == "names" && type != "")
			type = "-"
		printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%s,%d,%d\n", r, r + 1, name, type == "-" ? "" : type, type == "-" || type == "" ? "" : "pp", \
			type == "-" || type == "" ? "" : 3, from * 1e6, to * 1e6
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			for (r = 0; r < 3; r++) {
				if (r) {
					begin = free[r] > done[r - 1] ? free[r] : done[r - 1]
					row(r - 1, "ncclDevKernel_SendRecv", "ncclSend", done[r - 1], begin + 1)
					row(r, "ncclDevKernel_SendRecv", "ncclRecv", free[r] + 0, begin + 1)
					free[r - 1] = free[r] = begin + 1
				}
				more = r == 1 && what != "balanced" && what != "short" && what != "token" ? 2 : 0
				free[0] = what == "token" && !r && i ? done[2] : free[0]
				row(r, "Cijk_a", "", free[r] + 0, free[r] + (what == "host" ? 2 : 2 + more))
				done[r] = free[r] = free[r] + 2 + more
			}
	}'
}
for what in balanced slow host token names short; do
	events $what >events.csv
	echo $what
	kstats collectives -q -f csv --ranks --columns rank,pattern,longer_ns,longer_pct events.csv
	kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep 'stage'
done
events slow >events.csv
for r in 2 0 1; do awk -F, -v r=$r 'NR == 1 || $3 == r' events.csv >$r.csv; done
tracemerge -q --stats-only -o run.db 2.csv 0.csv 1.csv
tracemerge -q --align none -o all.db 2.csv 0.csv 1.csv
for in in run.db all.db; do kstats collectives -q -f csv --ranks --columns rank,pattern,longer_ns,longer_pct $in; done
