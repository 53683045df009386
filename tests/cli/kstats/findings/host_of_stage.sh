# Four stages of a pipeline, ten rounds of 1 ms, of kernels named SendRecv: who sends to whom is not known.  Three launch all of it ahead, compute
# for 800 us and then wait in what they exchange until the round ends.  Rank 2 launches its work 85 us after the last round, starts 5 us later and
# exchanges until the same time.  What its host costs the others cannot be replayed, as they may have waited for it or not: it is no more than
# the 85 us that it idles in nine rounds, and not nothing.
awk 'function row(kind, r, name, corr, from, to, call) {
		call = kind == "api"
		printf "%s,%s,%d,%d,%s,%s,%s,%s,%d,%d,%d\n", kind, call ? "hip" : "kernel", r, r + 1, call ? 1 : "", call ? "" : 4, call ? "" : 1, name,
			corr, (from + 2000) * 1000, (to + 2000) * 1000
	}
	BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,corr,start_ns,end_ns"
		for (r = 0; r < 4; r++)
			for (i = 0; i < 10; i++) {
				t = i * 1000
				called = r == 2 ? t + 85 : i * 20 - 500
				k = r == 2 ? t + 90 : t
				row("api", r, "hipLaunchKernel", 2 * i + 1, called, called + 3)
				row("api", r, "hipLaunchKernel", 2 * i + 2, called + 4, called + 7)
				row("kernel", r, "Cijk_a", 2 * i + 1, k, k + 800)
				row("kernel", r, "ncclDevKernel_SendRecv", 2 * i + 2, k + 800, t + 1000)
			}
	}' >events.csv
kstats gaps -q -f csv --columns rank,host_ns,launch_ns events.csv
kstats findings -q -f csv --columns rank,id,severity,saves_ns events.csv | grep 'host-'
kstats whatif -f csv --columns scenario --only 'host x 0.5' events.csv 2>&1 | head -n 1
