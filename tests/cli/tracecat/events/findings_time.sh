# Findings are drawn over the time that they are about.  A marker lasts from 0 to 900 us, the GPU works from 400 us on: 12
# collectives of 10 us, 5 us apart, but 300 us before the last.  It begins at 400 + 11 * 15 + 295 = 860 us, so the long gap is
# from 560 us to 860 us; the time of the GPU is from 400 us to 870 us.  Doubts are over everything, before the rest.
awk 'BEGIN {
	print "kind,rank,pid,agent,tid,queue,corr,name,start_ns,end_ns"
	print "marker,0,7,,7,,,main,0,900000"
	at = 400000
	for (i = 1; i <= 12; i++) {
		at += i == 12 ? 295000 : 0
		printf "api,0,7,,7,,%d,hipLaunchKernel,%d,%d\n", i + 1, at - 2000, at - 1000
		printf "kernel,0,7,4,,1,%d,ncclDevKernel_Generic(x),%d,%d\n", i + 1, at, at + 10000
		at += 15000
	}
}' >run.csv
tracecat -q --to chrome -o run.json run.csv
grep -o '"ts":.*"tm_finding","name":"[^"]*"' run.json
kstats findings -q -f csv --columns id,severity,saves_ns run.csv
