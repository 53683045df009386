# A part of each run: of eight steps of 1000 ns (in B 1200) those that begin in it count.  The part from 3500 ns on
# leaves steps 5 to 8 of A (they begin at 4000, 5000, 6000, 7000 ns) and 4 to 8 of B (3600, 4800, ... 8400): the mean
# length is 1000 and 1200, +20 %; all lengths are equal, so there is no test and 20 % is above twice the floor of 5 %.
# A kernel call is 600 ns in both; what differs is idle time.  A part with no step and no kernel in it says both.
run() {
	mkdir "$1"
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp >"$1/app_kernel_trace.csv"
	echo Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp >"$1/app_marker_api_trace.csv"
	awk -v OFS=, -v len="$2" -v kernels="$1/app_kernel_trace.csv" -v markers="$1/app_marker_api_trace.csv" 'BEGIN {
		for (i = 0; i < 8; i++) {
			print "KERNEL_DISPATCH", "Agent 4", "k", i + 1, 100000 + i * len, 100600 + i * len >>kernels
			print "MARKER_CORE_RANGE_API", "step " i, 7, 7, i + 20, 100000 + i * len, 100000 + (i + 1) * len >>markers
		}
	}'
}
run a 1000
run b 1200
tracediff -q --skip 0 -w +3500ns.. a b
tracediff -q -f csv --skip 0 -w +3500ns.. a b
tracediff -f csv -w +8500ns.. a b
