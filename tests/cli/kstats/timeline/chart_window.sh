# Two ranks compute for 10 ms without a gap; the second begins 3 ms later.  The middle of each is 2 to 8 and 5 to 11 ms:
# neither is idle where its own is over, so each is drawn over its own.  Where it begins 20 us later, less than a column
# shows, the axis is one, of what is inside for both: 2.02 to 8 ms.
events() {
	awk -v later="$1" 'BEGIN {
		print "kind,domain,rank,pid,tid,agent,name,start_ns,end_ns"
		for (r = 0; r < 2; r++)
			for (i = 0; i < 10; i++)
				printf "kernel,kernel,%d,%d,7,4,Cijk_a,%d,%d\n", r, r + 1, r * later + i * 1000000, r * later + (i + 1) * 1000000
	}'
}
for later in 3000000 20000; do
	events $later >events.csv
	kstats timeline -f csv --chart --bins 3 --columns rank,from_ns,to_ns,compute_ns,idle_ns -w 20%..80% events.csv 2>&1
	kstats -q -w 20%..80% events.csv | grep -c '^time'
done
kstats timeline --chart -q -w 20%..80% events.csv
