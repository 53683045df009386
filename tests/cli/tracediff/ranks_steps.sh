# Two ranks with steps of 1 and 2 ms; in B the second has fewer of them: a mean of all steps would be of more short ones.
# What both ranks have counts, so that nothing changed (A, B) and all that takes a quarter longer is found (A, C).
job() { # folder, steps of the second rank, percent of the time
	mkdir -p "$1/rank0" "$1/rank1"
	for r in 0 1; do
		n=12
		[ $r = 1 ] && n=$2
		awk -v r=$r -v n="$n" -v p="$3" -v d="$1/rank$r" 'BEGIN {
			k = d "/app_kernel_trace.csv"; m = d "/app_marker_api_trace.csv"
			print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >k
			print "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >m
			t = 1000000
			for (i = 0; i < n; i++) {
				l = int((r + 1) * (1000000 + i * 3989 % 9001) * p / 100)
				printf "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,7,%d,1,\"k\",%d,%d,%d\n", i + 1, i + 1, t, t + l - 1000 >k
				printf "\"MARKER_CORE_RANGE_API\",\"step %d\",7,7,%d,%d,%d\n", i, 900 + i, t, t + l >m
				t += l + 500
			}
		}'
	done
}
job A 12 100
job B 5 100
job C 5 125
tracediff A B
tracediff -q --fail-over 5 A C | head -1
