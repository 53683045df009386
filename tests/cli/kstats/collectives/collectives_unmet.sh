# 20 collectives of three ranks on one clock, to which rank 1 comes 10 ns after the others.  Rank 2 ran one that is not
# in its trace, the 19th: what is its 19th here is the 20th of the others, who had ended by then.  It waited for nobody
# there, and nobody for it.
awk 'BEGIN {
	print "kind,rank,agent,name,start_ns,end_ns"
	for (r = 0; r < 3; r++)
		for (i = 1; i <= 20; i++)
			if (r < 2 || i != 19)
				printf "kernel,%d,4,ncclDevKernel_AllReduce(x),%d,%d\n", r, i * 1000 + (r == 1) * 10, i * 1000 + 100
}' >lost.csv
kstats collectives --ranks -f csv lost.csv
kstats collectives -q --list -f csv --columns index,ranks,arrival_skew_ns,last_rank,max_wait_ns lost.csv | tail -n 4
kstats collectives -q -f csv --columns count,skew_p50_ns,last_rank,last_share_pct lost.csv
