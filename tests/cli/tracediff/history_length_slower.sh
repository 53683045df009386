# 20 runs of a gemm and a norm, from the 11th on of 60 steps instead of 40.
#   a: calls take 20 % longer, too: about 40 x 120 us, then 60 x 144, are slower in any case, by 80 % or, as long as
#      the others, by 20 %.  The smaller one is held against the limit: 19 is exceeded, 21 is not.
#   b: the clock of a run is up to 4 % off by chance, that of the 10th is the fastest and that of the 11th the slowest:
#      those two differ in more than their length, the levels do not.
#   c: as a, but calls take half as long: 60 are faster than 40 in any case.
stats() { # FILE CALLS NS
	{
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo "\"gemm\",$2,$(($2 * $3)),$3,80,$(($3 - 1000)),$(($3 + 1000)),500"
		echo "\"norm\",$2,$(($2 * ($3 / 5))),$(($3 / 5)),20,$(($3 / 5 - 1000)),$(($3 / 5 + 1000)),500"
	} >"$1_kernel_stats.csv"
}
mkdir a b c
for run in $(seq 10 29); do
	calls=$((run < 20 ? 40 : 60))
	stats "a/$run" $calls $(((run < 20 ? 100000 : 120000) + run))
	percent=$((run == 19 ? -4 : run == 20 ? 4 : run * 7 % 9 - 4))
	stats "b/$run" $calls $((100000 + 1000 * percent + run))
	stats "c/$run" $calls $(((run < 20 ? 100000 : 50000) + run))
done
for d in a b c; do
	tracediff -q --history --fail-over 21 $d/*_kernel_stats.csv | sed -n '1p; /^verdict/p'
done
tracediff -q --history --fail-over 19 a/*_kernel_stats.csv >/dev/null
