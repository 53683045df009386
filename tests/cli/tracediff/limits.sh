# A difference of just the limit is not more than the limit, though 1.1 - 1 > 0.1 in doubles: 100 us against 110 and 103.
row() { printf '"KERNEL_DISPATCH","Agent 4",1,0,7,%d,1,"k1",%d,%d,%d\n' "$@"; }
run() {
	mkdir "$1"
	{
		echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
		row 1 1 1000 51000
		row 2 2 $((1000 + $2 - 40000)) $((1000 + $2))
	} >"$1/app_kernel_trace.csv"
}
run w100 100000
run w103 103000
run w110 110000
for o in --fail-over=10 --fail-over=9.9999 --floor=10 --floor=9.9999; do
	tracediff -q -f csv --columns name,status,delta_pct "$o" w100 w110
	echo "status $?"
done
tracediff -q --floor 3 w100 w103 | head -1
tracediff -q --floor 3 w103 w100 | head -1
