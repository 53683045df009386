# (verdict) is the last row, (geomean) the one before, however rows are sorted and however many are asked for.
trace() { # FOLDER ns
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		for i in $(seq 10 31); do
			echo "KERNEL_DISPATCH,Agent 1,k$i,$i,${i}000,$((i * 1000 + $2 + i))"
		done
	} >"$1/app_kernel_trace.csv"
}
trace a 100
trace b 200
columns=name,status,total_b_ns
tracediff -q -f csv --columns $columns -s name -n 2 a b
tracediff -q -f csv --columns $columns -s total_b_ns,name -n 1 a b
tracediff -q --columns $columns a b | tail -n 4
# The table of two sides that cannot be compared.
tracediff -q -f csv --columns name,status -s name -n 1 a a
