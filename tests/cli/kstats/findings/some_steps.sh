# Of two ranks only rank 0 marks its steps: the table of steps lacks a rank, which is a note and no failure.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,corr,name,start_ns,end_ns"
	for (r = 0; r < 2; r++)
		for (i = 1; i <= 3; i++) {
			printf "api,hip,%d,7,7,,%d,hipLaunchKernel,%d,%d\n", r, i, i * 10000, i * 10000 + 500
			printf "kernel,kernel,%d,7,,4,%d,softmax_warp_forward,%d,%d\n", r, i, i * 10000 + 1000, i * 10000 + 6000
			if (!r)
				printf "marker,marker,0,7,7,,,step %d,%d,%d\n", i, i * 10000 - 500, i * 10000 + 9000
		}
}' >a.csv
kstats findings -f csv --columns id a.csv
echo "status $?"
kstats findings -v a.csv 2>&1 >all | grep -c 'no steps found'
kstats findings --explain softmax a.csv >one
echo "status $?"
kstats steps -q -f csv --columns rank,step a.csv
echo "status $?"
