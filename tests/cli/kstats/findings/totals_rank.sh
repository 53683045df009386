# Thirty times a kernel of 50 us, and an allocation that takes 60 us: findings of the replay are the same from totals, which
# keep the rank that gains most.
awk 'BEGIN {
	print "kind,domain,pid,tid,agent,queue,corr,name,start_ns,end_ns"
	for (i = 1; i <= 30; i++) {
		t = 1000000 + 70000 * i
		printf "api,hip,1,1,,,%d,hipLaunchKernel,%d,%d\n", i, t, t + 4000
		printf "kernel,kernel,1,,4,1,%d,Cijk_a,%d,%d\n", i, t + 8000, t + 58000
		printf "api,hip,1,1,,,%d,hipMalloc,%d,%d\n", 100 + i, t + 5000, t + 65000
	}
}' >a.csv
tracemerge -q --stats-only -o a.db a.csv || exit
for f in a.csv a.db; do
	kstats findings -q -f csv --columns rank,id,severity,saves_ns $f || exit
done
