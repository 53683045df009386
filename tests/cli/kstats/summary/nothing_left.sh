# Where nothing is left to show, the first screen says what was lost of it, as kstats top does.  Of 50 kernels of 400 ns, 1 us
# apart, --budget leaves one slice, which is no kernel; the only kernel of rows.csv ends before it starts, so that its row is
# skipped, and one call is left.
awk 'BEGIN {
	print "kind,rank,agent,queue,corr,name,start_ns,end_ns"
	for (i = 1; i <= 50; i++)
		printf "kernel,0,4,1,%d,brief,%d,%d\n", i, 1000000 + 1000 * i, 1000400 + 1000 * i
}' >run.csv
tracecat -q --no-findings --to pftrace --budget 6K -o small.pftrace run.csv
printf 'kind,rank,name,start_ns,end_ns\napi,0,hipMalloc,100,200\nkernel,0,k,900,500\n' >rows.csv
for f in small.pftrace rows.csv; do
	kstats $f >page 2>&1
	echo "status $?"
	cat page
	kstats top $f 2>&1 | cmp - page
done
