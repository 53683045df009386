# Totals of 30 runs of a gemm and a norm: 40 steps, from the 11th run on 60, from the 21st on 60 whose gemms take 1.5
# times as long.  The time of a run rises by 50 % where it is longer, so neither the rise of the whole nor those of the
# kernels are a regression, and no improvement follows; the second rise is one, of the gemm alone: 7200 to 10200 us.
# Mean durations are 100000 + run and 20000 + run ns.
for run in $(seq 10 39); do
	n=$((run < 20 ? 40 : 60)) gemm=$((run < 30 ? 100000 + run : 150000 + run)) norm=$((20000 + run))
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo "\"gemm\",$n,$((n * gemm)),$gemm,80,$((gemm - 1000)),$((gemm + 1000)),500"
	echo "\"norm\",$n,$((n * norm)),$norm,20,19000,21000,500"
done | awk -v n=9 '/Name/ { n++ } { print >n "_kernel_stats.csv" }'
tracediff -q --history -f csv --columns run,change,change_pct,name ./*_kernel_stats.csv | grep -v ',,'
