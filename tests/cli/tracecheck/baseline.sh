# The same value of another run: row by row, by name and rank, whatever its process ids.
trace() {
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	awk -v OFS=, '{ print "KERNEL_DISPATCH", "Agent 1", $1, NR, $2, $2 + $3 }'
}
printf '%s\n' 'a 0 1000' 'a 2000 1000' 'b 4000 5000' | trace >old.csv
printf '%s\n' 'a 0 1030' 'a 2000 1030' 'b 4000 5200' 'c 9500 10' | trace >new.csv
check() {
	tracecheck -q -f csv --columns verdict,value,op,bound,baseline,row,reason --baseline old.csv --rule "$1" new.csv |
		sed -n 2p
}
check 'top[a].avg_ns <= baseline * 1.03'
check 'top[a].avg_ns < 1.03 * baseline'
check 'top[b].avg_ns <= baseline * 1.03'
check 'top[b].avg_ns <= baseline * 1.03 + 50'
check 'top[b].avg_ns <= baseline + 0.2 us'
check 'top[b].avg_us < baseline + 200 ns'
check 'top[b].avg_ns <= 5000 - 1 * baseline + baseline * 1 + 200'
check 'top.calls >= baseline'
check 'top["?"].avg_ns < baseline * 2'
check 'kernels.total_us <= baseline * 1.03'
check 'timeline.busy_pct >= baseline - 50 %'
tracecheck -q --baseline old.csv --rule 'top[b].avg_ns <= baseline * 1.03' new.csv
