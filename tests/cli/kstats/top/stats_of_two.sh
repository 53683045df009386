# Statistics that rocprofv3 and rocprof wrote of one run, without a trace: they agree in four names or more, and count once,
# a 3 calls and 30 ns.  With other times, or of fewer names, they are of two runs, 6 calls.
v3() {
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	for i in $1; do echo "\"$i\",3,$2,10,25,9,11,1"; done
}
v1() {
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage"'
	for i in $1; do echo "\"$i [clone .kd]\",3,$2,10,25"; done
}
ask() { kstats top -n 1 -s name -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
mkdir -p a b/rank_0 b/rank_1
v3 'a b c d' 30 >a/77_kernel_stats.csv && v1 'a b c d' 30 >a/results.stats.csv && ask a
tracemerge -q -o run.db a; ask run.db
# Of two ranks, 3 calls each.
for r in 0 1; do v3 'a b c d' 3$r >b/rank_$r/7${r}_kernel_stats.csv && v1 'a b c d' 3$r >b/rank_$r/results.stats.csv; done
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns b
v1 'a b c d' 31 >a/results.stats.csv && ask a
v3 'a b c' 30 >a/77_kernel_stats.csv && v1 'a b c' 30 >a/results.stats.csv && ask a
