# Statistics of the same work in other pieces: A calls a gemm 80 times for 50 us, 4000 us; a norm takes 2000 us.
#   b: 40 calls of 100.1 us, 4004 us: the calls are longer, but all of them together are not (+0.07 % of the run):
#      not slower, no failure, and A is not slower than B.
#   c: 40 calls of 110 us, 4400 us: slower, +6.67 %.  All calls of the gemm together take 10 % longer, not 120 %:
#      --fail-over 9 sees it, and 11 does not.
#   d: as b, and the norm takes 10 % longer, 2200 us: slower.  That is the worst: --fail-over 9 sees it, and 11 does not.
stats() { # FOLDER CALLS NS NORM-NS
	mkdir "$1"
	{
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo "\"gemm\",$2,$(($2 * $3)),$3,67,$(($3 - 1000)),$(($3 + 1000)),500"
		echo "\"norm\",100,$((100 * $4)),$4,33,$(($4 - 200)),$(($4 + 200)),100"
	} >"$1/a_kernel_stats.csv"
}
stats a 80 50000 20000
stats b 40 100100 20000
stats c 40 110000 20000
stats d 40 100100 22000
for b in b c d; do
	for pct in 9 11; do
		tracediff -q --fail-over $pct a $b >out
		echo "a $b: $?"
	done
	sed -n '1p; /^verdict/p' out
	tracediff -q $b a | sed -n '/^verdict/p'
done
