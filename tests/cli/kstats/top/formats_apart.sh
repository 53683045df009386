# One run in two formats that lie apart: sorted by format, or one of them in an archive.  Both have the same kernels to the
# nanosecond, k of 1000 ns and k of 500 ns: they count once, 2 calls and 1500 ns, as one rank.  One nanosecond later they are
# two runs, 4 calls; and where two of one format may be the run of a third, all are what they are, 6 calls.
head='Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
csv() { printf '%s\nKERNEL_DISPATCH,4,k,1,%d,2000\nKERNEL_DISPATCH,4,k,2,3000,3500\n' "$head" "${1:-1000}"; }
# db FILE: a database of the same.
db() {
	PYTHONPATH=$ROOT/tests/gen python3 -B - "$1" <<-'P'
	import sys
	import make_databases as M
	c = M.create(sys.argv[1])
	r = M.Rocpd(c, "0000004d-0000-7000-8000-000000000001", 0, 77)
	r.agent(4, "GPU", "gfx90a", 4)
	r.kernel(1, "k")
	r.dispatch(1, 1, 1000, 2000, 1)
	r.dispatch(2, 1, 3000, 3500, 2)
	M.close(c, sys.argv[1])
	P
}
ask() { kstats top -q -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
mkdir -p a/csv a/db && csv >a/csv/77_kernel_trace.csv && db a/db/77_results.db
kstats top -f csv --per rank --columns rank,name,calls,total_ns a
ask a/db a/csv
tracemerge -q -o run.db a && ask run.db && ask a run.db
# A database in an archive beside the table, and the table in one beside the database.
mkdir b && tar -C a/db -czf b/o.tgz 77_results.db && cp a/csv/77_kernel_trace.csv b && ask b
mkdir c && tar -C a/csv -czf c/0.tgz 77_kernel_trace.csv && cp a/db/77_results.db c && ask c && ask c/77_results.db c/0.tgz
mkdir d && tar -C a -czf d/o.tgz csv && cp a/db/77_results.db d && ask d
csv 1001 >a/csv/77_kernel_trace.csv && ask a
# Two ranks that did the same, say.
csv >a/csv/77_kernel_trace.csv && mkdir a/more && cp a/csv/77_kernel_trace.csv a/more/78_kernel_trace.csv && echo >>a/more/78_kernel_trace.csv && ask 0=a/csv 1=a/more a/db
