# Two formats with the same kernels that nothing tells to be of one run: torch.profiler rounds times, and its file is not in
# the directory of the other trace.  Both count, 2 calls each, with a warning; not if hosts, ranks or times say that they
# differ, and not in one directory, where they count once.
csv() {
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n'
	printf 'KERNEL_DISPATCH,4,k,%d,%d,%d\n' 1 5000000 5001000 2 5002000 5002500
}
# kineto RANK TS: with k at TS us and 2 us later.
kineto() {
	printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"distributedInfo":{"rank":%d},"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}}' "$1"
	for t in 0 2; do
		printf ',{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":%d,"dur":1,"args":{"device":0,"stream":1,"correlation":1}}' $(($2 + t * ${3:-1}))
	done
	echo ']}'
}
ask() { kstats top -f csv --columns name,calls "$@"; echo "status $?"; }
mkdir -p a/rank_0 && csv >a/rank_0/77_kernel_trace.csv && kineto 0 1700000000005000 >a/w.pt.trace.json
ask a
tracemerge -q -o run.db a && ask run.db
mkdir b && cp a/rank_0/* a/w.pt.trace.json b && ask b
kineto 1 1700000000005000 >a/w.pt.trace.json && ask a
kineto 0 1700000000005000 2 >a/w.pt.trace.json && ask a
