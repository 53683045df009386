# The share of idle time is one of all ranks.  In each of 12 steps of 20 ms a rank launches a kernel at once, that ends so many ms before
# the next step: 11 times its GPU is idle for the host, less the 5 us of a launch.
#
#   1 10      109.945 of 229.995 ms and 10.945 of 238.995: (109.945 + 10.945) / (229.995 + 238.995) = 25.8 %, mostly on rank 1
#   9 10 1    98.945, 109.945 and 10.945 ms: rank 1 is the worst; two of three are not worth naming
#   10 10     alike: no rank is named
#
# Compute time of 1 10: 12 x 18.995 and 12 x 9.995 ms; the mean is 12 x 14.495, the first 1.3 times that.  Of three: 10.995, 9.995 and 18.995,
# mean 13.328: 1.4 times.  Of 5 5.5 18 18 the first two have 14.995 and 14.495, the others 1.995: all that are half as far above the mean
# (8.370) as the largest are named, 2 of 4, with 1.8 times the mean.
events() {
	awk -v list="$*" 'BEGIN {
		n = split(list, ms, " ")
		print "kind,domain,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns"
		for (r = 0; r < n; r++)
			for (i = 0; i < 12; i++) {
				t = i * 2e7
				who = r "," r + 1 ",7"
				printf "api,hip,%s,,,%d,hipLaunchKernel,%d,%d\n", who, i + 1, t, t + 5000
				printf "kernel,kernel,%s,4,1,%d,Cijk_a,%d,%d\n", who, i + 1, t + 5000, t + 2e7 - ms[r + 1] * 1e6
			}
	}'
}
for list in '1 10' '9 10 1' '10 10' '5 5.5 18 18'; do
	echo "$list"
	events "$list" >events.csv
	kstats findings -q -f csv --columns rank,id,title events.csv | grep 'host-bound\|uneven-work'
done
