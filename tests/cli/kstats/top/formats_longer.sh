# Two executions of one program in containers, where its process id is 7 in both: rocprof has 4 kernels, k of 100, 100, 100 and
# 5000 ns, and torch.profiler, which counts from 1970, 2 of 2400 ns.  They may be kernels of the first: as many and less
# time, an error.  Kernels longer than each of the first by more than rounding are not, nor are those of which the last ends
# later after the first than all of them took, here 8000 ns: both count, 4 + 1 calls and 5300 + 5200 ns or more.
rocprof() { # DIR
	mkdir -p "$1"
	{
		echo '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","BeginNs","EndNs"'
		for k in 1000+100 2000+100 3000+100 4000+5000; do
			echo "0,\"k\",0,0,0,7,7,64,64,${k%+*},$((${k%+*} + ${k#*+}))"
		done
	} >"$1/results.csv"
}
torch() { # DIR START+LENGTH..., in us
	mkdir -p "$1"
	{
		echo '{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cuda_runtime","name":"hipMalloc","pid":7,"tid":7,"ts":1700000000000000.000,"dur":0.100}'
		shift
		for k; do
			echo ',{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":'"170000000000000${k%+*},\"dur\":${k#*+},\"args\":{\"device\":0,\"stream\":1}}"
		done
		echo ']}'
	} >"$1/w.pt.trace.json"
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
rocprof a
torch b 0.000+2.400 3.000+2.400 && ask a b
torch b 0.000+5.200 && ask a b
torch b 0.000+7.100 && ask a b
torch b 0.000+0.100 9.000+0.100 && ask a b
torch b 0.000+0.100 9.990+0.100 && ask a b
