# Files of other names that hold the same events are of one run: torch.profiler's trace, a conversion, statistics that
# were renamed, a table and the same compressed.  What only looks alike is added up as before.
head='"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
table() {
	echo "$head"
	i=0
	while read -r name start end; do
		i=$((i + 1))
		printf '"KERNEL_DISPATCH",4,1,%d,"void %s(int*)",%d,%d,%d\n' $i "$name" $i "$start" "$end"
	done
}
kineto() {
	printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":['
	while read -r name start end; do
		printf '{"ph":"X","cat":"kernel","name":"void %s(int*)","pid":0,"tid":1,"ts":%d.%03d,"dur":%d.%03d,"args":{"device":0,"stream":1,"correlation":1}},\n' \
			"$name" $((start / 1000)) $((start % 1000)) $(((end - start) / 1000)) $(((end - start) % 1000))
	done
	printf '{"ph":"X","cat":"user_annotation","name":"step","pid":9,"tid":9,"ts":1000,"dur":90}]}\n'
}
events() {
	printf '%s\n' 'alpha 1000000 1005010' 'beta 1006000 1016020' 'alpha 1020000 1027040' 'gamma 1030000 1031001' \
		'delta 1040000 1042000'
}
top() {
	kstats top -f csv --columns name,calls,total_ns "$@"
	echo "status $?"
}
mkdir run
events | table >run/77_kernel_trace.csv
events | kineto >run/worker0.pt.trace.json
top run
kstats top -q -f csv --columns name,calls run --domain marker
tracemerge -q -o run.db run
sqlite3 run.db 'SELECT count(*) FROM kernel' 'SELECT count(*) FROM marker' 'SELECT DISTINCT rank FROM rank'
# Its clock began elsewhere.
events | while read -r n s e; do echo "$n" $((s + 1753000000000000000)) $((e + 1753000000000000000)); done | kineto >run/worker0.pt.trace.json
top run
tar cf run.tar run
top run.tar | tail -2
# Another run of the same kernels is another rank.
events | sed 's/1042000/1042500/' | kineto >run/worker0.pt.trace.json
kstats top -q -f csv --per rank --columns rank,name,calls,total_ns run
rm run/worker0.pt.trace.json
# Statistics under another name; of another run, two of five calls longer.
{
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	printf '"void %s(int*)",%d,%d,%d,%d,%d,%d,0\n' alpha 2 12050 6025 47 5010 7040 beta 1 10020 10020 39 10020 10020 \
		gamma 1 1001 1001 4 1001 1001 delta 1 2000 2000 10 2000 2000
} >run/kernels_of_run_stats.csv
top run
sed -i 's/12050/12051/' run/kernels_of_run_stats.csv
kstats top -q -f csv --columns name,calls,total_ns run; echo "status $?"
rm run/kernels_of_run_stats.csv
# Compressed as well; the statistics, too.
gzip -nk run/77_kernel_trace.csv
top run
# Ranks: each has both formats, and keeps its rank.
mkdir -p job/rank0 job/rank1
events | table >job/rank0/5_kernel_trace.csv
events | kineto >job/rank0/w.pt.trace.json
events | sed 's/1027040/1027140/' | table >job/rank1/6_kernel_trace.csv
events | sed 's/1027040/1027140/' | kineto >job/rank1/w.pt.trace.json
kstats top -q -n 2 -f csv --per rank --columns rank,name,calls,total_ns job; echo "status $?"
