# Two runs of 10 steps, the first of which is the longest, so that they look as if they depended on each other: 10 that are
# worth 2.9.  B is 44.1 % slower: its shortest step, 3,276,374 ns, is 943,532 ns longer than the longest of A, 2,332,842 ns,
# and no run varies by more than 63,041 ns, so by more than 189,123: that is no noise.  With steps that are 7 % longer than
# those of A (159,000 ns, and 95,845 ns from the longest to the shortest) it may be.  One step of each alone would do, too.
run() { # DIRECTORY LENGTH...
	mkdir "$1" && cd "$1" && shift || return
	printf '%s\n' "$@" | awk 'BEGIN { t = 1000000; m = "a_marker_api_trace.csv"; k = "a_kernel_trace.csv"
		print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >m
		print "Kernel_Name,Agent_Id,Start_Timestamp,End_Timestamp" >k }
		{ printf "MARKER_CORE_API,step %d,1,1,%d,%d,%d\n", NR, NR, t, t + $1 >m
		  printf "k,4,%d,%d\n", t, t + $1 >k; t += $1 }'
	cd ..
}
run a 2332842 2274312 2277153 2274597 2279230 2280744 2273395 2274034 2273959 2269801
run b 3325593 3296619 3282462 3288609 3284218 3276374 3281116 3277216 3279445 3284117
run c 2496141 2433514 2436554 2433819 2438776 2440396 2432533 2433216 2433136 2428687
for with in b c; do
	tracediff -q -n 0 --fail-over 5 -o out a $with
	echo $?
	head -n 2 out
	tail -n 1 out
done
# With nine steps of each, as far apart, it may be: a few that depend on each other are often close to each other.
run d 2332842 2274312 2277153 2274597 2279230 2280744 2273395 2274034 2273959
run e 3325593 3296619 3282462 3288609 3284218 3276374 3281116 3277216 3279445
tracediff -q --skip 0 --fail-over 5 d e | tail -n 1
