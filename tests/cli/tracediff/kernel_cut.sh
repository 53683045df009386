# Totals of 20 steps of a gemm (100 us) and a norm (20 us), 2400 us, against a run that ended within its fourth step: 4
# gemms and 3 norms, 460 us, that is 0.2 and 0.15 times as often.  For 20 steps that would be 2300 to 3067 us: neither
# faster nor, the other way around, slower.
# Two kernels that are called 2 and 5 times as often are no run of another length: 6000 us are slower.
stats() { # FOLDER GEMMS NORMS
	mkdir "$1"
	{
		echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
		echo "\"gemm\",$2,$(($2 * 100000)),100000,80,99000,101000,500"
		echo "\"norm\",$3,$(($3 * 20000)),20000,20,19000,21000,500"
	} >"$1/a_kernel_stats.csv"
}
stats a 20 20
stats cut 4 3
stats more 40 100
tracediff -q a cut | sed -n '1p; /^verdict/p'
tracediff -q --fail-over 5 cut a | sed -n '1p; /^verdict/p'
tracediff -q a more | sed -n '1p; /^verdict/p'
