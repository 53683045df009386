# Two communicators of two ranks, each with nine all-reduces that transfer for 100 us: ranks 0 and 1 are "a", 2 and 3 "b".  Rank 3 comes
# 900 us after rank 2 each time, which therefore waits 900 us and has kernels of 1000 us.
#
#   all     traces of all: shortest 100 us in both, so b has 100 % of the bandwidth of a, and nothing is slow
#   part    that of rank 3 is missing: the shortest is 1000 us, but nobody knows that it waited, so neither is compared
#   begun   rank 3 was traced from the second step on: of the eight others the shortest is 100 us, 100 %
for what in all part begun; do
	awk -v what=$what 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,op_count,bytes,start_ns,end_ns"
		for (i = 0; i < 9; i++)
			for (r = 0; r < 4; r++)
				if (r < 3 || what == "all" || (what == "begun" && i))
					printf "kernel,kernel,%d,%d,7,4,1,ncclDevKernel_x,ncclAllReduce,%s,2,%d,1000,%d,%d\n", r, r + 1,
						r < 2 ? "a" : "b", i + 1, i * 2000000 + (r == 3 ? 900000 : r < 2 ? 900000 : 0),
						i * 2000000 + 1000000
	}' >$what.csv
	echo $what
	kstats collectives -q -f csv --columns comm,count,ranks,best_pct,slow_ns $what.csv
	kstats findings -q -f csv --columns id,saves_ns $what.csv | grep slow-comm
	tracemerge -q --stats-only -o $what.db $what.csv
	kstats collectives -q -f csv $what.csv >want
	kstats collectives -q -f csv $what.db | cmp - want
done
