# Two ranks compute as much as each other; the host of rank 1 begins 3 ms late in each of four steps of 10 ms, and rank 0
# waits so long in the collective: 12 ms that no balance of kernels gets back.
#
#   rank 0   compute 0 to 2,  communicate 2 to 6        rank 1   compute 3 to 5,  communicate 5 to 6
#
# Where rank 0 computes beside it until 5.7, waiting costs it next to nothing: of communication nothing hides 0.3 ms of
# rank 0 and 1 ms of rank 1 in each step, so that no more than 4 ms are lost.
events() {
	awk -v beside="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
		for (i = 0; i < 4; i++)
			for (r = 0; r < 2; r++) {
				t = i * 10 + (r ? 3 : 0)
				printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d\n", r, r + 1, t * 1e6, (t + 2) * 1e6
				printf "kernel,kernel,%d,%d,7,4,2,ncclDevKernel_x,%d,%d\n", r, r + 1, (t + 2) * 1e6, (i * 10 + 6) * 1e6
				if (beside && !r)
					printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d\n", r, r + 1, (t + 2) * 1e6, (i * 10 + 5.7) * 1e6
			}
	}'
}
for beside in 0 1; do
	events $beside >events.csv
	kstats collectives -q -f csv --ranks --columns rank,caused_wait_ns events.csv
	kstats timeline -q -f csv --columns rank,exposed_comm_ns events.csv
	kstats findings -q -f csv --columns id,saves_ns,title events.csv | grep late-rank
done
