# One process; in each of ten steps of 10 ms every GPU computes for so many us and then meets the others until 9.9 ms.
#
#   9000, 3000       with 6000 each a step would be 3 ms shorter: 30 ms
#   9000 x 3, 0      with 6750 each 2.25 ms shorter: 22.5 ms
#   9000, 8200       0.956 of the busiest on average: even enough
#   9000 alone       nobody to share with
# Of two ranks with a GPU each it is their ranks that are uneven.
events() {
	awk -v list="$1" -v ranks="${2-}" 'BEGIN {
		n = split(list, us, " ")
		print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
		for (i = 0; i < 10; i++)
			for (g = 1; g <= n; g++) {
				who = ranks ? g - 1 "," g ",7," g + 3 : "0,1,7," g + 3
				from = i * 1e7
				to = from + us[g] * 1e3
				if (us[g])
					printf "kernel,kernel,%s,1,Cijk_a,%d,%d\n", who, from, to
				printf "kernel,kernel,%s,1,ncclDevKernel_x,%d,%d\n", who, to, i * 1e7 + 99e5
			}
	}'
}
for list in '9000 3000' '9000 9000 9000 0' '9000 8200' 9000; do
	events "$list" >events.csv
	kstats efficiency -q -f csv --columns metric,value,lost_ns events.csv | grep balance
	kstats findings -q -f csv --columns id,severity,saves_ns,title,command events.csv | grep uneven
done
events '9000 3000' ranks >events.csv
kstats efficiency -q -f csv --columns metric,value,lost_ns events.csv | grep balance
kstats findings -q -f csv --columns id,saves_ns,title events.csv | grep uneven
