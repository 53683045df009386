# Several runs a side of 20 kernels of 100 us, one of which takes 50 % longer in B, 2.5 % of all: --on kernel finds it with
# any number of runs.  Of 6 against 6, p of U is at least 2 / C(12, 6) = 0.0022, times 20 rows 0.043: more than 0.005, so
# the means are compared, as of 3 against 3; so they are of 9 against 9, where the normal p is at least 0.0004.  Of 14
# against 14 it is 7e-6, and U counts.  Runs of kernels that did not change differ by up to 0.3 %.
awk 'BEGIN {
	for (side = 0; side < 2; side++)
		for (run = 10; run < 24; run++) {
			file = (side ? "b" : "a") run "_kernel_stats.csv"
			print "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"" >file
			for (k = 0; k < 20; k++) {
				ns = 100000 + (run * 7 + side * 5 + k * 3) % 11 * 30 + run + side + (side && k == 4) * 50000
				printf "\"k%d\",20,%d,%d,5,%d,%d,500\n", k, 20 * ns, ns, ns - 1000, ns + 1000 >file
			}
			close(file)
		}
}'
for n in 3 6 9 14; do
	set --
	for run in $(seq 10 $((n + 9))); do set -- "$@" "a${run}_kernel_stats.csv"; done
	set -- "$@" --
	for run in $(seq 10 $((n + 9))); do set -- "$@" "b${run}_kernel_stats.csv"; done
	tracediff -q --fail-over 10 -f csv --columns name,significant,test "$@" | grep -E '^k4,|yes|verdict'
done
