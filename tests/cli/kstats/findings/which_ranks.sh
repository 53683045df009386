# In each of 12 steps of 20 ms a rank computes and its host is in hipMemcpy until the step ends; for the last so many ms of
# it the GPU is idle.  The window ends with the last kernel.
#
#   10 1 1 1       rank 0: 110 of 230 ms idle, 47.8 %; the others 11 of 239, 4.6 %, which is too much, too, but not half of that
#   10 10 1 0      two of four
#   10 x 6, 0 0    of many the first four
#   10 10          all alike: no rank is named
#   10             a single rank
events() {
	awk -v list="$*" 'BEGIN {
		n = split(list, ms, " ")
		print "kind,domain,rank,pid,tid,agent,stream,corr,name,start_ns,end_ns"
		for (r = 0; r < n; r++)
			for (i = 0; i < 12; i++) {
				t = i * 2e7
				who = r "," r + 1 ",7"
				printf "api,hip,%s,,,%d,hipLaunchKernel,%d,%d\n", who, 2 * i + 1, t, t + 5000
				printf "kernel,kernel,%s,4,1,%d,Cijk_a,%d,%d\n", who, 2 * i + 1, t + 5000, t + 2e7 - ms[r + 1] * 1e6
				printf "api,hip,%s,,,%d,hipMemcpy,%d,%d\n", who, 2 * i + 2, t + 6000, t + 2e7
			}
	}'
}
for list in '10 1 1 1' '10 10 1 0' '10 10 10 10 10 10 0 0' '10 10' 10; do
	events "$list" >events.csv
	kstats findings -q -f csv --columns rank,saves_ns,title events.csv | grep copies
done
