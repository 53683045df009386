# Ranks that did the same, each recorded by rocprofv3 and by torch.profiler in one directory.  Each has k of 1000 ns and
# k of 500 ns.
csv() {
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n'
	printf 'KERNEL_DISPATCH,4,k,%d,%d,%d\n' 1 "$1" $(($1 + 1000)) 2 $(($1 + 2000)) $(($1 + ${2:-2500}))
}
us() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }
event() {
	printf ',{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":%s,"dur":%s,"args":{"device":0,"stream":1,"correlation":1}}' "$@"
}
kineto() {
	printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}}'
	event "$(us "$1")" 1 && event "$(us $(($1 + 2000)))" 0.500
	echo ']}'
}
ask() { kstats top -q -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
# The second rank began one second after the first: 2 calls each, also where the trace of torch.profiler is of the second
# one only, whose kernels are those in the same nanoseconds.
mkdir a b
csv 5000000 | tee a/77_kernel_trace.csv >b/77_kernel_trace.csv
csv 1005000000 | tee a/78_kernel_trace.csv >b/78_kernel_trace.csv
kineto 5000000 >a/w0.pt.trace.json
kineto 1005000000 | tee a/w1.pt.trace.json >b/w1.pt.trace.json
ask a
ask b
tracemerge -q -o run.db b && ask run.db
# On a clock of its own, in whole microseconds, and k of the second rank takes 100 ns more: either trace of torch.profiler
# may be of either rank, but each is of one.  2 calls each, 1500 and 1600 ns.
whole() {
	printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}}'
	event $((1700000000000000 + $1)) 1 && event $((1700000000000002 + $1)) 1
	echo ']}'
}
mkdir c && csv 5000000 >c/77_kernel_trace.csv && csv 5007000 2600 >c/78_kernel_trace.csv
whole 5007 >c/w0.pt.trace.json && whole 5000 >c/w1.pt.trace.json
ask c
kstats timeline -q -f csv --columns rank,kernels c
# One of them alone: 2 calls each all the same.
rm c/w0.pt.trace.json && ask c
# However many are alike: 2 calls of each of 150.
mkdir d && for i in $(seq 100 249); do
	csv "${i}0000" >"d/${i}_kernel_trace.csv"
	whole "${i}7000" >"d/$i.pt.trace.json"
done
kstats top -q -f csv --columns name,calls,total_ns d
