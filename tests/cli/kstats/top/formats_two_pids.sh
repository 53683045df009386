# One table of rocprof has processes 77 and 78, of which each runs k twice, 100 and 200 ns: 4 calls, 600 ns.  torch.profiler,
# which counts from 1970, recorded the first kernel of 77: it may be one of the four, in any directory, so it is an error.
# Where the ranks are given it counts: 5 calls, 700 ns.  The same is true if 77 is alone in the table, and the trace of
# torch.profiler also names 90, which ran no kernel: an error, else 2 + 1 calls, 300 + 100 ns.
rocprof() { # DIR PID...: two kernels of each
	mkdir -p "$1"
	t="$1/results.csv"
	shift
	echo '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","BeginNs","EndNs"' >"$t"
	for pid; do
		echo "0,\"k\",0,0,0,$pid,$pid,64,64,1000,1100"
		echo "1,\"k\",0,0,1,$pid,$pid,64,64,2000,2200"
	done >>"$t"
}
torch() { # DIR PID...: one kernel, of the first
	mkdir -p "$1"
	t="$1/w.pt.trace.json" at='"ts":1700000000000000.000,"dur":0.100'
	echo '{"schemaVersion":1,"traceEvents":[' >"$t"
	shift
	for pid; do
		echo '{"ph":"X","cat":"cuda_runtime","name":"hipMalloc","pid":'"$pid,\"tid\":$pid,$at},"
	done >>"$t"
	echo '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,'"$at"',"args":{"device":0,"stream":1}}]}' >>"$t"
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
rocprof a 77 78 && torch a 77 && ask a
mkdir t && mv a/*.json t && ask a t && ask 0=a 1=t
rm -r a t && rocprof a 77 && torch a 77 90 && ask a
mkdir t && mv a/*.json t && ask a t && ask 0=a 1=t
