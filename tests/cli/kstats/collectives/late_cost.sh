# Ranks that compute beside their collectives, four rounds of 1 ms.  A round of most ranks: kernels of 0..100 and 100..200 us,
# and on a second stream a collective after each.  The last rank takes 150 us for each kernel.  Transfers take 10 us:
#
#                 starts at, others   the last one    all end
#   collective 1              100 us        150 us     160 us
#   collective 2              200 us        300 us     310 us
#
# The last rank is late by 50 and 100 us: 4 * 150 us.  But the others wait for nothing in the first one, in which they compute;
# in the second one they expose 110 us, the late one 10 us.  With it on time a round ends at 210 us: 4 * 100 us are saved.
# More than 64 ranks are not replayed together: findings save that, not the 4 * 110 us that are exposed.
events() {
	awk -v n="$1" 'BEGIN {
		print "kind,domain,rank,pid,agent,stream,name,start_ns,end_ns"
		for (r = 0; r < n; r++)
			for (i = 0; i < 4; i++) {
				t = i * 1000000
				k = r == n - 1 ? 150000 : 100000
				printf "kernel,kernel,%d,%d,4,1,Cijk_a,%d,%d\n", r, r + 1, t, t + k
				printf "kernel,kernel,%d,%d,4,2,ncclDevKernel_x,%d,%d\n", r, r + 1, t + k, t + 160000
				printf "kernel,kernel,%d,%d,4,1,Cijk_a,%d,%d\n", r, r + 1, t + k, t + 2 * k
				printf "kernel,kernel,%d,%d,4,2,ncclDevKernel_x,%d,%d\n", r, r + 1, t + 2 * k, t + 310000
			}
	}'
}
events 4 >few.csv
kstats collectives -q --ranks -f csv --columns rank,late_ns,late_cost_ns,pattern few.csv
events 66 >many.csv
kstats findings -q -f csv --columns rank,id,saves_ns many.csv | grep late
tracemerge -q --stats-only -o totals.db many.csv
kstats findings -q -f csv --columns rank,id,saves_ns totals.db | grep late
