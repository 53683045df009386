# Four ranks on one clock, twelve rounds of 1 ms: a broadcast that all begin at 100 us, and that rank r ends at 300 + 100 r us, as it
# passes from one to the next; 10 us later each comes to an all-reduce, which all end at 900 us.  Clocks need not be aligned, and nobody
# is late: who got the data last came last.  Then rank 3 computes another 150 us between the two: that is what it is late after
# rank 1, 12 times, and all that anybody is late.
#
# With broadcasts alone, these say whether clocks are near enough: not where they end 300 us apart, but where it is 3.
rows() {
	awk -v late="$1" -v hop="${2-100000}" 'BEGIN {
		print "kind,domain,rank,pid,agent,name,type,start_ns,end_ns"
		for (r = 0; r < 4; r++)
			for (i = 1; i <= 12; i++) {
				t = i * 1000000
				end = t + 300000 + hop * r
				start = end + 10000 + (r == 3 ? late : 0)
				printf "kernel,kernel,%d,%d,4,Cijk_a,,%d,%d\n", r, r + 1, t, t + 99000
				printf "kernel,kernel,%d,%d,4,ncclDevKernel_Generic,ncclBroadcast,%d,%d\n", r, r + 1, t + 100000, end
				printf "kernel,kernel,%d,%d,4,Cijk_a,,%d,%d\n", r, r + 1, end, start
				printf "kernel,kernel,%d,%d,4,ncclDevKernel_Generic,ncclAllReduce,%d,%d\n", r, r + 1, start, t + 900000
			}
	}'
}
for late in 0 150000; do
	rows $late >events.csv
	kstats collectives -q --ranks -f csv --columns rank,late_ns,late_pct,ends_apart_ns events.csv
	kstats findings -q -f csv --columns rank,id events.csv | grep -E 'clocks-apart|late-rank'
done
true
for hop in 100000 1000; do
	rows 0 $hop | grep -v AllReduce >events.csv
	kstats collectives -q --ranks -f csv --columns rank,ends_apart_ns events.csv
	kstats findings -q -f csv --columns rank,id events.csv | grep clocks-apart
done
true
