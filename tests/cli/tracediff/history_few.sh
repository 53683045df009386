# Eight runs, of which the last four take 20 % longer.  Of the 70 ways to put four of eight in front two are as extreme, which is too
# often for the usual level of 0.005: that there is no change cannot be said either.  Runs that differ by less than the floor say so.
for run in 1 2 3 4 5 6 7 8; do
	for kind in grow stay; do
		mkdir -p $kind$run
		us=$((100 + run * 3 % 7 / 3))
		[ $kind$((run / 5)) = grow1 ] && us=$((us * 6 / 5))
		printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\nKERNEL_DISPATCH,Agent 1,k,1,%s,%s\n' \
			$run $((run + us * 1000)) >$kind$run/app_kernel_trace.csv
	done
done
history() { # KIND RUN...
	kind=$1
	shift
	# shellcheck disable=SC2046 # a word each
	tracediff -q --history $(for run; do echo "$kind$run"; done) | sed -n '1p;$p'
}
history grow 1 2 3 4 5 6 7 8
history stay 1 2 3 4 5 6 7 8
history grow 4 5
tracediff -q --history --alpha 0.1 grow1 grow2 grow3 grow4 grow5 grow6 grow7 grow8 | sed -n '1p;$p'
