# Two nodes of two ranks, without host and clock.  In each of twelve rounds of 1 ms the ranks of a node meet from 100 to 300 us, and
# rank i of both nodes from 400 to 900 us in another communicator.  Ends are 400 ns apart at most, so that clocks need not be
# aligned.  Then the clock of the second node is 150 us ahead: all collectives of the nodes still end together, but
# those between them 150400 ns apart.
rows() {
	awk -v ahead="$1" 'BEGIN {
		print "kind,domain,rank,pid,agent,name,type,comm,comm_ranks,bytes,start_ns,end_ns"
		for (r = 0; r < 4; r++)
			for (i = 1; i <= 12; i++) {
				t = i * 1000000 + (r > 1 ? ahead : 0)
				end = r > 1 ? 400 : 0
				printf "kernel,kernel,%d,%d,4,Cijk_a,,,,,%d,%d\n", r, r + 1, t, t + 99000
				printf "kernel,kernel,%d,%d,4,ncclDevKernel_x,ncclAllReduce,node%d,2,1000,%d,%d\n", r, r + 1, r / 2, t + 100000, t + 300000 + end
				printf "kernel,kernel,%d,%d,4,ncclDevKernel_x,ncclAllReduce,rail%d,2,1000,%d,%d\n", r, r + 1, r % 2, t + 400000, t + 900000 + end
			}
	}'
}
for ahead in 0 150000; do
	rows $ahead >events.csv
	kstats collectives -q --ranks -f csv --columns rank,ends_apart_ns events.csv
	kstats findings -q -f csv --columns id events.csv | grep -c clocks-apart
done
true
