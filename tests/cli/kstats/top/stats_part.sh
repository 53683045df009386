# Statistics of 6 names, k1 to k6, called once to 6 times for 100 ns each: 21 calls, 2100 ns.  What somebody copied of their lines,
# 4 at least, counts once, wherever it lies; next to a trace that has these calls it does not count at all.  Lines that
# differ are others: 21 + 10 calls.  So are 3 lines, which may be alike by chance: 21 + 6.
lines() { # FROM TO NS
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage"'
	i=0
	for pct in 4.76 9.52 14.29 19.05 23.81 28.57; do
		i=$((i + 1))
		[ $i -lt "$1" ] || [ $i -gt "$2" ] || echo "\"k$i\",$i,$((i * 100 + (i == 2 ? $3 : 0))),100,$pct"
	done
}
trace() {
	echo Kernel_Name,Start_Timestamp,End_Timestamp
	for i in 1 2 3 4 5 6; do
		for j in 1 2 3 4 5 6; do [ $j -gt $i ] || echo "k$i,$((1000 * i + 100 * j)),$((1000 * i + 100 * j + 100))"; done
	done
}
ask() { kstats top -f csv --columns calls,total_ns "$@" | awk -F, 'NR > 1 { n += $1; t += $2 } END { print n, t }'; }
mkdir a && lines 1 6 0 >a/x_kernel_stats.csv && lines 1 4 0 >a/top.csv && ask a
lines 1 4 5 >a/top.csv && ask -q a
lines 1 3 0 >a/top.csv && ask -q a
lines 3 6 0 >a/top.csv && trace >a/x_kernel_trace.csv && ask a
mkdir -p b/s && trace >b/x_kernel_trace.csv && lines 2 6 0 >b/s/top.csv && ask b
# Of two processes by their numbers each has its own: 10 + 21 calls.
mkdir c && lines 1 4 0 >c/70_kernel_stats.csv && lines 1 6 0 >c/71_kernel_stats.csv && ask c
