# Of six steps the fourth takes 500 us and the sixth 80 us more than the median of them (steps/steps.sh):
# were none slow, 580 us would be saved.  Two ranks that do so side by side have no more slow steps, and save no more.
# Where the steps of rank 1 are even, they are those of rank 0.
dir=$TESTDATA/kineto/2.9/steps
ask() { kstats findings -q -f csv --columns id,saves_ns,title "$@" | grep slow-steps; }
ask "$dir"
ask "0=$dir" "1=$dir"
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,stream,name,start_ns,end_ns"
	for (r = 0; r < 2; r++)
		for (t = i = 0; i < 6; i++) {
			long = 1e6 + (r ? 0 : i == 3 ? 5e5 : i == 5 ? 8e4 : 0)
			printf "marker,marker,%d,%d,7,,,step %d,%d,%d\n", r, r + 1, i, t, t + long
			printf "kernel,kernel,%d,%d,7,4,1,Cijk_a,%d,%d\n", r, r + 1, t, t + long
			t += long
		}
}' >one.csv
kstats steps -q -f csv --total --columns rank,slow,over_ns one.csv
ask one.csv
kstats findings -q --explain slow-steps "$dir"
