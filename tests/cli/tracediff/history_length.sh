# 20 runs of a gemm and a norm, from the 11th on of 60 steps instead of 40: everything is called 1.5 times as often and
# takes as long as before, so nobody knows whether a step is slower, and no limit is exceeded.  Mean durations are
# 100000 + run and 20000 ns; the medians of the levels are 40 x 120014.5 and 60 x 120024.5 ns.
for run in $(seq 10 29); do
	n=$((run < 20 ? 40 : 60))
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo "\"gemm\",$n,$((n * (100000 + run))),$((100000 + run)),80,99000,101000,500"
	echo "\"norm\",$n,$((n * 20000)),20000,20,19000,21000,500"
done | awk -v n=9 '/Name/ { n++ } { print >n "_kernel_stats.csv" }'
tracediff -q --history --fail-over 10 ./*_kernel_stats.csv | sed -n '1p; /^verdict/p'
