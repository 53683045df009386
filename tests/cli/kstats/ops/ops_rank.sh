# In 1500..5000 of each of two ranks begins fwd, inside epoch, which began before: with --per rank its row is of its rank,
# though it has no call there and launched nothing itself.  Nothing is lost, which is of no rank.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,corr,name,start_ns,end_ns"
	for (r = 0; r < 2; r++) {
		printf "api,hip,%d,7,7,,1,hipLaunchKernel,1600,1700\nkernel,kernel,%d,7,,4,1,a,2000,%d\n", r, r, 3000 + 500 * r
		printf "marker,marker,%d,7,7,,,epoch,1000,9000\nmarker,marker,%d,7,7,,,fwd,1500,4000\n", r, r
	}
}' >a.csv
kstats ops -q --per rank -f csv -w 1500..5000 a.csv
kstats ops -q --per rank --paths -f csv -w 1500..5000 a.csv
