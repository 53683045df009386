# Tables of steps that are asked for together find the steps once; those that skip others do not.  Ten steps, of 100 us
# and 10 us more each; the last takes 900 us, of which 5 us are kernels.
#
#   all              100 110 ... 180 900    median 140, most 900
#   without three    130 140 ... 180 900    median 160
#   kernels          5 us in each of ten    50 us
awk 'BEGIN { print "kind,rank,agent,name,start_ns,end_ns"
	for (i = 0; i < 10; i++) {
		d = i < 9 ? 100000 + 10000 * i : 900000
		printf "marker,0,,step %d,%d,%d\nkernel,0,4,k,%d,%d\n", i, t, t + d, t + 50, t + 5050
		t += d
	} }' >events.csv
tracemerge -q -o run.db events.csv && tracemerge -q --stats-only -o totals.db events.csv
rules() {
	tracecheck -q -f csv --columns verdict,value,rows,rule "$@" --rule 'steps(--total).median_us == 140' \
		--rule 'steps.window_us <= 900' --rule 'steps(--total --skip 3).median_us == 160' \
		--rule 'steps(--skip 3).window_us >= 130' --rule 'steps(--total).slow == 1' --rule 'steps.compute_us == 5'
}
rules events.csv | tee one
rules -j 1 events.csv | cmp - one
rules -j 4 events.csv | cmp - one
rules run.db | cmp - one
# Totals keep all the steps.
rules totals.db | grep -v skip
# None to skip: the same words for both tables.
tracecheck --rule 'steps(--skip 20).window_us < 1' --rule 'steps(--total --skip 20).median_us < 1' events.csv
