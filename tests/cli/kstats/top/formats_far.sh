# One run in two formats, in folders by format, with a directory of the rank, or of the host, below: 2 calls, 1500 ns.
csv() {
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n'
	printf 'KERNEL_DISPATCH,4,k,%d,%d,%d\n' 1 $((1000 + $1)) $((2000 + $1)) 2 $((3000 + $1)) $((3500 + $1))
}
# db FILE PID START HOST
db() {
	mkdir -p "$(dirname "$1")"
	PYTHONPATH=$ROOT/tests/gen python3 -B - "$@" <<-'P'
	import sys
	import make_databases as M
	c = M.create(sys.argv[1])
	pid, t = int(sys.argv[2]), int(sys.argv[3])
	r = M.Rocpd(c, f"000000{pid}-0000-7000-8000-000000000001", 0, pid, host=sys.argv[4])
	r.agent(4, "GPU", "gfx90a", 4)
	r.kernel(1, "k")
	r.dispatch(1, 1, 1000 + t, 2000 + t, 1)
	r.dispatch(2, 1, 3000 + t, 3500 + t, 2)
	M.close(c, sys.argv[1])
	P
}
ask() { kstats top -q -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
mkdir -p a/csv/x && csv 0 >a/csv/x/77_kernel_trace.csv && db a/db/x/77_results.db 77 0 n0
ask a
ask a/csv a/db/x
tracemerge -q -o a.db a && ask a.db && ask a a.db
# Two ranks, the second 100 ns later: 2 calls each.
mkdir -p b/csv/rank_0 b/csv/rank_1 && csv 0 >b/csv/rank_0/k_kernel_trace.csv && csv 100 >b/csv/rank_1/k_kernel_trace.csv
db b/db/rank_0/k_results.db 77 0 n0 && db b/db/rank_1/k_results.db 78 100 n0
ask b
# Two processes on each of two hosts.
for i in 0 1 2 3; do
	mkdir -p c/csv/n$((i / 2)) && csv ${i}00 >c/csv/n$((i / 2))/7${i}_kernel_trace.csv
	db c/db/n$((i / 2))/out/7${i}_results.db 7$i ${i}00 n$((i / 2))
done
kstats top -q -f csv --columns name,calls,total_ns c
# A database made of the table, which is gone, above the other format.
mkdir d && cp a/csv/x/77_kernel_trace.csv d && tracemerge -q -o d/run.db d && rm d/*.csv && cp -r a/db d && ask d
ask d/db d/run.db
# What is no copy by one nanosecond is a run of its own: 4 calls.
csv 1 >a/csv/x/77_kernel_trace.csv && ask a
