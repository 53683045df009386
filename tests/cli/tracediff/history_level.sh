# 30 runs of 4 kernels, each of 1010 to 1024 ns in 15 runs and of 1125 to 1139 ns in the 15 after these.  Of the
# C(30, 15) = 155117520 divisions of the values only 2 are as good, so no random order is: p = 1 / (orders + 1).  The
# deciding time has 20000 orders: p = 0.00005.  At the level of each kernel, 0.0001 / 4, so few could not be enough:
# there are 2 / level = 80000, and p = 1 / 80001 = 0.0000125.
for run in $(seq 10 39); do
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	for k in a b c d; do
		ns=$((run < 25 ? 1000 + run : 1100 + run))
		echo "\"$k\",10,${ns}0,$ns,25,$ns,$ns,0"
	done
done | awk -v n=9 '/Name/ { n++ } { print >n "_kernel_stats.csv" }'
tracediff -q --history --alpha 0.0001 -f csv --columns name,run,change,p_value,before_ns,after_ns ./*_kernel_stats.csv | grep -v ',,'
