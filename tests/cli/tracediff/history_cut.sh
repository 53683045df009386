# Totals of 20 runs of 40 steps, a gemm of 100 us and a norm of 20 us in each: 4800 us; the 5th run ended after 8
# steps.  From the 11th run on a gemm takes 108 us: 5120 us, +6.67 %, a regression.  The ten runs before call kernels
# 36.8 times, the ten after it 40 times, but nine of the ten before as often.
# Mean durations are 100000 + run and 20000 + run ns.
for run in $(seq 10 29); do
	n=$((run == 14 ? 8 : 40)) gemm=$((run < 20 ? 100000 + run : 108000 + run)) norm=$((20000 + run))
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo "\"gemm\",$n,$((n * gemm)),$gemm,80,$((gemm - 1000)),$((gemm + 1000)),500"
	echo "\"norm\",$n,$((n * norm)),$norm,20,19000,21000,500"
done | awk -v n=9 '/Name/ { n++ } { print >n "_kernel_stats.csv" }'
tracediff -q --history --fail-over 6 ./*_kernel_stats.csv | sed -n '1p; /^verdict/p'
tracediff -q --history -f csv --columns run,change,change_pct,name ./*_kernel_stats.csv | grep -v ',,'
