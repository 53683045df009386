# Two runs of rank 0 on two days: 40 + 50 ns of kernels in 1050 ns each, two hours apart.  What adds up is added up:
# 4 calls, 180 ns; what is measured against a window, which would be two hours long, is refused, whichever file comes
# first, as is a window given as a part of it; one run at a time, and each run as a rank of its own, is not.  Shares of
# the window are absent where the rest stands.  The database as the files.
head='"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
run() {
	mkdir -p "${1%/*}"
	printf '%s\n' "$head" "\"KERNEL_DISPATCH\",4,1,1,\"k\",1,$2,$(($2 + 40))" \
		"\"KERNEL_DISPATCH\",4,1,1,\"k\",2,$(($2 + 1000)),$(($2 + 1050))" >"$1"
}
run monday/rank0/p_kernel_trace.csv 1000
run tuesday/rank0/p_kernel_trace.csv 7200000001000
kstats top -q -f csv --columns name,calls,total_ns tuesday monday
for m in timeline gaps sync summary ranks; do
	kstats $m tuesday monday
	echo "$m: $?"
done
kstats gaps --list tuesday monday
echo "list: $?"
kstats regions --steps tuesday monday
echo "steps: $?"
kstats classes -f csv monday tuesday
kstats top -w 0%..50% monday tuesday
echo "part: $?"
kstats timeline -q -f csv --columns rank,window_ns,busy_ns monday
kstats timeline -q -f csv --columns rank,window_ns,busy_ns -w 0..3000 monday tuesday
kstats timeline -q -f csv --columns rank,window_ns,busy_ns 0=monday 1=tuesday
tracemerge -q -o run.db monday tuesday
kstats timeline run.db
echo "database: $?"
rm run.db
# RANK=FILE says that they are one process, in whatever order and in the database; with one that just has that rank, it
# does not.
kstats timeline -f csv --columns rank,window_ns,busy_ns 0=monday 0=tuesday
kstats timeline -f csv --columns rank,window_ns,busy_ns 0=tuesday 0=monday
tracemerge -q -o run.db 0=monday 0=tuesday
kstats timeline -q -f csv --columns rank,window_ns,busy_ns run.db
rm run.db
kstats timeline 0=monday tuesday
echo "one of them: $?"
kstats timeline tuesday 0=monday
echo "one of them: $?"
tracediff monday tuesday/..
echo "compared: $?"
# A third run that is in time with both joins them.
run third/rank0/p_kernel_trace.csv 1030
run fourth/rank0/p_kernel_trace.csv 1900
kstats timeline -q -f csv --columns rank,window_ns,busy_ns monday third fourth
# What lies between two that RANK=FILE joins joins them, too; what only touches does not begin after the end.
kstats timeline -q -f csv --columns rank,window_ns,busy_ns 0=fourth third 0=monday
run fifth/rank0/p_kernel_trace.csv 2050
kstats timeline -q -f csv --columns rank,window_ns,busy_ns fifth monday
# The n-th marker and the steps of two runs that are apart are no more one window than shares are.
for day in monday tuesday; do
	mkdir -p marked/$day
	cp -r $day/rank0 marked/$day
	awk -F, -v OFS=, 'NR == 1 { print "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" }
		NR > 1 { print "\"MARKER_CORE_RANGE_API\",\"step\",1,1," $6, $7 - 1, $8 + 1 }' \
		$day/rank0/p_kernel_trace.csv >marked/$day/rank0/p_marker_api_trace.csv
done
for w in marker:step window:step window:step/2 step:1..2; do
	kstats top -w $w marked/tuesday marked/monday
	echo "$w: $?"
	kstats top -q -f csv --columns name,calls,total_ns -w $w marked/monday
done
# Another machine, at the same time of its own clock.
db() {
	cp "$TESTDATA/rocpd/3.0.5/small/70_results.db" "$1.db"
	suffix=$(sqlite3 "$1.db" "SELECT substr(name, length('rocpd_string') + 1) FROM sqlite_schema WHERE name LIKE 'rocpd\_string%' ESCAPE '\\' LIMIT 1")
	sqlite3 "$1.db" "CREATE TABLE \"rocpd_info_node$suffix\"(id INTEGER, hostname TEXT)" \
		"INSERT INTO \"rocpd_info_node$suffix\" VALUES (1, 'node-$1')"
}
db a
db b
kstats timeline 0=a.db 0=b.db
echo "machines: $?"
# Another boot: CLOCK_REALTIME is 68.7 s further from the clock than in the first trace.  34.4 s may be the clock
# set right.
boot() {
	printf '\012\033P\001\062\027\012\005\010\006\020\274\005\012\014\010\001\020\304\254\250\261\343%b\347\313\027\020\006\012\036P\001h\001\270\005\001b\025\012\023\010\001\022\017kernel_dispatch\012\052P\001\342\003\045\010\011\022\041COMPUTE AGENT [4] QUEUE [1] (GPU)\012\027P\001\100\240\006\320\003\006Z\015H\001X\011\030\001\272\001\004gemm\012\016P\001\100%b\320\003\006Z\004H\002X\011' "$2" "$3" >"$1.pftrace"
}
boot first '\0237' '\0204\007'
boot second '\0241' '\0205\007'
boot set '\0240' '\0205\007'
kstats timeline 0=first.pftrace 0=second.pftrace
echo "boots: $?"
kstats timeline -q -f csv --columns rank,window_ns,busy_ns 0=first.pftrace 0=set.pftrace
# One program that sleeps an hour between two kernels is honest, and its window is what it is: it is said.
printf '%s\n' "$head" '"KERNEL_DISPATCH",4,1,1,"k",1,1000,2000' \
	'"KERNEL_DISPATCH",4,1,1,"k",2,3600000002000,3600000003000' >sleeps_kernel_trace.csv
kstats timeline -f csv --columns rank,window_ns,busy_ns sleeps_kernel_trace.csv
