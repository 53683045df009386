# 3,000 steps, more than are sorted for a median.  Step i lasts 1000 + 7 i mod 3000 ns, each time once, for 7 and 3000
# have no factor in common: 1000, 1001 ... 3999 in another order.  Each has i mod 3 + 1 kernels of 10 ns at its start.
#
#   median    1500th of 3000   1000 + 1499 = 2499
#   p95       2850th           1000 + 2849 = 3849
#   mean      1000 + 2999 / 2 = 2499.5
#   kernels   1, 2, 3 in turn: 6000
awk 'BEGIN { print "kind,rank,agent,name,start_ns,end_ns"
	for (i = 0; i < 3000; i++) {
		d = 1000 + 7 * i % 3000
		printf "marker,0,,step %d,%d,%d\n", i, t, t + d
		for (k = 0; k <= i % 3; k++)
			printf "kernel,0,4,k,%d,%d\n", t + 20 * k, t + 20 * k + 10
		t += d
	} }' >events.csv
kstats steps --total -q -f csv --columns steps,median_ns,p95_ns,mean_ns events.csv &&
	kstats steps -q -f csv -n 0 --columns step,window_ns,busy_ns,kernels events.csv |
	awk -F, 'NR > 1 { i = NR - 2; n += $4
		bad += $2 != 1000 + 7 * i % 3000 || $3 != 10 * (i % 3 + 1) || $4 != i % 3 + 1 }
		END { print NR - 1, "steps,", n, "kernels,", bad + 0, "wrong" }'
