# Statistics of 40 and of 60 steps: a gemm of 100 us and a norm of 20 us in each, and one call of init.  B calls
# 120 of its 121 times 1.5 times as often, 90 % of the time and the calls of both: nobody knows whether that is a
# longer run or more work.
#   b: 7300 us against 4900: +49 % if it is more work; 7300 / 1.5 is no change (-0.7 %): inconclusive, no failure.
#   c: calls of the gemm 20 % longer, 8500 us: slower in any case, by 73 % or, with 8500 / 1.5, by 16 %.  The worst
#      of what is sure is a call of the gemm, +20 %: --fail-over 19 sees it, and 21 does not.
#   d: calls of the gemm 40 % shorter: 4900 us as before, or for 40 steps much less: inconclusive.
#   e: only the gemm is called more often, which a longer run does not do: slower by 6900 / 4900 - 1 = 41 %.
stats() { # FOLDER CALLS NS CALLS
	mkdir "$1"
	{
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo "\"gemm\",$2,$(($2 * $3)),$3,80,$(($3 - 1000)),$(($3 + 1000)),500"
		echo "\"norm\",$4,$(($4 * 20000)),20000,19,19000,21000,500"
		echo '"init",1,100000,100000,1,100000,100000,0'
	} >"$1/a_kernel_stats.csv"
}
stats a 40 100000 40
stats b 60 100000 60
stats c 60 120000 60
stats d 60 60000 60
stats e 60 100000 40
for b in b c d e; do
	tracediff -q --fail-over 19 a $b | sed -n '1p; /^verdict/p'
	tracediff -q $b a | sed -n '/^verdict/p'
done
tracediff -q --fail-over 21 a c >/dev/null
