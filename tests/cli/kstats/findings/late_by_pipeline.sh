# Two stages of a pipeline, three steps of 20 ms, and an all-reduce of both at the end of each, as of the norm of gradients.  Stage 0 computes
# for 2 ms and sends; stage 1 waits 2 ms for that from the beginning on, computes for 4 ms, sends back at 7 and comes to the all-reduce at 8.
# Stage 0 waits from 3 to 7 for what it receives until 8, computes for 1 ms and comes at 9: last each time, by 1 ms, but because it waited
# for the other: 4 ms, where the other waited for 2.
#
#   pairs   it is known who sends to whom
#   names   it is not, and all of what a receive takes may be waiting
#   slow    stage 0 computes for 4 ms more at the end: 5 ms late, of which 2 are the pipeline's (4 - 2): 3 ms each time
events() {
	awk -v what="$1" 'function row(r, name, type, comm, from, to) {
		if (what == "names")
			type = comm = ""
		printf "kernel,kernel,%d,%d,7,4,1,%s,%s,%s,%s,%d,%d\n", r, r + 1, name, type, comm, type == "" ? "" : 2, from * 1e6, to * 1e6
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,start_ns,end_ns"
		more = what == "slow" ? 4 : 0
		for (i = 0; i < 3; i++) {
			t = 20 * i
			row(0, "Cijk_a", "", "", t, t + 2)
			row(0, "ncclDevKernel_SendRecv", "ncclSend", "pp", t + 2, t + 3)
			row(0, "ncclDevKernel_SendRecv", "ncclRecv", "pp", t + 3, t + 8)
			row(0, "Cijk_a", "", "", t + 8, t + 9 + more)
			row(0, "ncclDevKernel_AllReduce", "ncclAllReduce", "all", t + 9 + more, t + 10 + more)
			row(1, "ncclDevKernel_SendRecv", "ncclRecv", "pp", t, t + 3)
			row(1, "Cijk_a", "", "", t + 3, t + 7)
			row(1, "ncclDevKernel_SendRecv", "ncclSend", "pp", t + 7, t + 8)
			row(1, "ncclDevKernel_AllReduce", "ncclAllReduce", "all", t + 8, t + 10 + more)
		}
	}'
}
for what in pairs names slow; do
	events $what >events.csv
	echo $what
	kstats collectives -q -f csv --ranks --columns rank,last,waited_ns,late_ns,late_pct,pattern events.csv
	kstats findings -q -f csv --columns rank,id,saves_ns,title events.csv | grep 'late-'
done
