# 20,000 kernels that all start and end in the same nanoseconds, as if no clock ran, on 8 agents; next to them all but the
# last: an error, found without comparing each with each (4e8 pairs, 20 s).  The same on agents 9 to 16 are others: 39,999.
rows() { # FIRST-AGENT N
	awk -v f="$1" -v n="$2" 'BEGIN { print "Kernel_Name,Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < n; i++) printf "k,Agent %d,%d,1000,2000\n", f + i % 8, i }'
}
mkdir a b
rows 1 20000 >a/all.csv
rows 1 19999 >a/part.csv
cp a/all.csv b
rows 9 19999 >b/other.csv
ulimit -t 4
kstats top -f csv --columns calls a
echo $?
kstats top -q -f csv --columns calls b
