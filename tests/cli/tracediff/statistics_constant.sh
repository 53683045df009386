# Statistics of many calls that all took the same time: a difference is one.  Of few, nobody knows.
stats() {
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo "\"k\",$1,$(($1 * $2)),$2.000000,100.000000,$2,$2,0.000000"
}
for calls in 1000 8 7; do
	stats $calls 100000 >a_kernel_stats.csv
	stats $calls 200000 >b_kernel_stats.csv
	tracediff -q --fail-over 5 -f csv --columns name,delta_pct,p_value,significant a_kernel_stats.csv b_kernel_stats.csv
	echo "status $?"
done
