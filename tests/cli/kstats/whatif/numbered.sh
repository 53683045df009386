# Three ranks, six rounds of 300 us, one after the other: a kernel of 100 us, of rank 1 of 250 us, and an all-reduce that all leave together.
# The trace of rank 2 lacks the first two rounds.  The number of a collective (op_count) says which ones belong together.
#
# From when rank 1 has come each takes 50 us.  If that takes no time, the rounds take 250 us: 6 * 50 = 300 us less.
#
# Without numbers it is not known which belong together, and that is said, rather than that clocks cannot be compared.
{
	echo kind,domain,rank,pid,tid,agent,stream,name,type,comm,comm_ranks,op_count,start_ns,end_ns
	for rank in 0 1 2; do
		for round in 0 1 2 3 4 5; do
			[ $rank = 2 ] && [ $round -lt 2 ] && continue
			from=$((1000000 + round * 300000))
			come=$((from + (rank == 1 ? 250000 : 100000)))
			echo "kernel,kernel,$rank,$rank,7,4,1,a,,,,,$from,$come"
			echo "kernel,kernel,$rank,$rank,7,4,1,ncclDevKernel_x,ncclAllReduce,dp,3,$round,$come,$((from + 300000))"
		done
	done
} >events.csv
kstats whatif -f csv --comm 0 --columns scenario,window_ns,saved_ns events.csv
sed 's/,dp,3,[0-9]/,dp,3,/' events.csv >plain.csv
kstats whatif -f csv --scale comm=1 --columns scenario plain.csv
kstats whatif -q -f csv --balance plain.csv
