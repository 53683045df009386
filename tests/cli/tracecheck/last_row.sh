# (verdict) is the last row, however rows are sorted and however many are asked for.
cat >t.csv <<'END'
Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
KERNEL_DISPATCH,Agent 1,k,1,100000,130000
END
check() {
	tracecheck -q -f csv --columns verdict,rule "$@" \
		--rule 'top.avg_us < 31' --rule 'top.calls == 2' --rule 'inputs >= 0' t.csv
}
check -s verdict
check -n 1
check -s rule -n 2
