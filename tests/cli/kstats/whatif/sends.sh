# A pipeline of two ranks, four rounds of 1000 us.  Rank 0 launches a (800 us) and a send of 10 us after it; its host waits for the GPU
# after each round, and launches 5 us later.  Rank 1 launches its receive when the round begins, which takes 820 us, as it waits for the
# send; then b takes 100 us.  Its host waits after each round, too, until the next begins.
#
#   pair    a communicator of both: the n-th send is the n-th receive, and both end together, 15 us after the send begins.  With a in half
#           of the time all is 4 x 400 us shorter (3940 - 1600 = 2340), without transfer 4 x 15 (3880), and without waits of the host
#           each round but the last 175: a, a gap of 5, the send and a gap again are 825 (3940 - 3 x 175 = 3415)
#   names   kernels of the name SendRecv, of which it is not known who sends to whom: that is said, and not that clocks cannot be compared.
#           Without waits of the host rank 1 could launch all rounds at once, and what it receives may come earlier or not: nothing is said
#           of the host.  Ranks cannot be balanced
events() {
	awk -v what="$1" 'function row(kind, r, name, id, from, to, type) {
		printf "%s,%s,%d,%d,7,%s,%s,%s,%s,%s,%s,%d,%d,%d\n", kind, kind == "kernel" ? "kernel" : "hip", r, r + 1,
			kind == "kernel" ? 4 : "", kind == "kernel" ? 1 : "", name, type, type == "" ? "" : "pp", type == "" ? "" : 2,
			id, from * 1e3, to * 1e3
	}
	function launch(r, id, at) {
		row("api", r, "hipLaunchKernel", id, at, at + 2, "")
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,corr,start_ns,end_ns"
		for (i = 0; i < 4; i++) {
			t = 100 + i * 1000
			launch(0, 4 * i + 1, t)
			launch(0, 4 * i + 2, t + 3)
			row("api", 0, "hipDeviceSynchronize", 4 * i + 3, t + 6, t + 830, "")
			row("kernel", 0, "a", 4 * i + 1, t + 5, t + 805, "")
			row("kernel", 0, "ncclDevKernel_SendRecv", 4 * i + 2, t + 810, t + 825, what == "pair" ? "ncclSend" : "")
			launch(1, 4 * i + 1, t)
			launch(1, 4 * i + 2, t + 3)
			row("api", 1, "hipDeviceSynchronize", 4 * i + 3, t + 6, t + 940, "")
			row("kernel", 1, "ncclDevKernel_SendRecv", 4 * i + 1, t + 5, t + 825, what == "pair" ? "ncclRecv" : "")
			row("kernel", 1, "b", 4 * i + 2, t + 830, t + 930, "")
		}
	}'
}
for what in pair names; do
	events $what >$what.csv
	echo $what
	kstats whatif -f csv --columns scenario,predicted_ns,low_ns,high_ns,saved_gpu_ns $what.csv
	kstats whatif -q -f csv --columns scenario,predicted_ns,low_ns,high_ns --comm 0 $what.csv
	kstats whatif -q -f csv --columns scenario,predicted_ns,low_ns,high_ns --no-sync $what.csv
	kstats whatif -q -f csv --columns scenario,predicted_ns --likely --no-sync $what.csv
	kstats whatif -q --balance $what.csv | tail -n 1
done 2>&1
