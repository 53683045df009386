# Totals of 30 runs of 40 calls of a kernel of 100 us, each run 0.2 % of that slower than the one before, nearly 6 % in
# all.  The halves differ by (104400 - 101400) / 101400 = 2.96 %, no more than the floor of 3 %, so no run begins a new
# level; but the first ten and the last ten do by (104900 - 100900) / 100900 = 3.96 %, and no value of the first is among
# the last: z = (50 - 0.5) / sqrt(10 * 10 * 21 / 12), p = 1.8e-4.  With 0.1 % a run it is no change: 2000 / 100450 = 1.99 %.
drift() { # PER-RUN-NS
	rm -f ./*.csv
	for run in $(seq 10 39); do
		ns=$((100000 + (run - 10) * $1))
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo "\"gemm\",40,$((40 * ns)),$ns,100,$((ns - 1000)),$((ns + 1000)),500"
	done | awk -v n=9 '/Name/ { n++ } { print >n "_kernel_stats.csv" }'
	tracediff -q --history --fail-over 3 ./*_kernel_stats.csv | sed -n '1p; /^verdict/p'
}
drift 200
drift 100
