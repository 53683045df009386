# Twenty launches of 2 us, 50 us apart, each followed by a kernel of 10 us; the clock of the GPU is 30 us behind that of
# the host, or 3 us ahead.  In the first case 19 of 19 kernels that end a gap start before their launch: a warning, on
# the first screen, too, and from totals.
rows() { # FROM A LAUNCH TO ITS KERNEL
	awk -v after="$1" 'BEGIN {
		print "kind,domain,pid,tid,agent,queue,corr,name,start_ns,end_ns"
		for (i = 1; i <= 20; i++) {
			t = 1000000 + 50000 * i
			printf "api,hip,1,1,,,%d,hipLaunchKernel,%d,%d\n", i, t, t + 2000
			printf "kernel,kernel,1,,4,1,%d,Cijk_a,%d,%d\n", i, t + after, t + after + 10000
		}
	}'
}
rows 3000 >ahead.csv
rows -30000 >behind.csv
for f in ahead behind; do
	tracemerge -q --stats-only -o $f.db $f.csv || exit
	echo "# $f" >&2
	kstats gaps -f csv $f.csv || exit
	kstats gaps -f csv $f.db || exit
	kstats summary $f.csv >screen || exit
	kstats summary -f csv $f.db >rows || exit
done
