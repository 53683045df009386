# One agent, then two that share the work but for 20 ns more each; the second waits 40 ns longer.
#   a   k 0..1000                        u 1000, T 1000: parallel 1, scaling 1, global 1
#   b   k 0..520 and k 0..480 (agent 5)  sum u 1000, T 520, G 2: parallel 0.961538, scaling 1, global the same
#   c   k 0..520 and k 40..560           sum u 1040, T 560: parallel 0.928571, scaling 0.961538, global 0.892857
# Nobody is guilty where nothing is lost, or where two lose the same.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
run() { # NAME AGENT START END [AGENT START END]
	out=${1}_kernel_trace.csv
	echo "$head" >"$out"
	shift
	while [ $# -gt 0 ]; do
		echo "\"KERNEL_DISPATCH\",\"Agent $1\",1,0,10,$2,1,\"k\",$2,$((1000 + $2)),$((1000 + $3))" >>"$out"
		shift 3
	done
}
run a 4 0 1000
run b 4 0 520 5 0 480
run c 4 0 520 5 40 560
kstats efficiency --runs -q -f csv a_kernel_trace.csv 'b_*.csv' c_kernel_trace.csv &&
	kstats efficiency --runs -q a_kernel_trace.csv b_kernel_trace.csv
kstats efficiency --runs </dev/null
kstats efficiency --runs a_kernel_trace.csv none.csv
kstats efficiency -k k a_kernel_trace.csv
