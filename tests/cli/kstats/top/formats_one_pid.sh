# Process 77 in the tables of rocprofv3 and in those of rocprof, in one directory, which lacks the last kernel: k runs three
# times, 100, 200 and 300 ns.  A process id is that of one process at a time, so it counts once: 3 calls, 600 ns.  A second
# later it is another process: 3 + 2 calls, 600 + 300 ns.  torch.profiler counts from 1970, and its one kernel may be one of
# the three, in any directory: an error, but not where the ranks are given (3 + 1 calls, 600 + 100 ns).  With another kernel
# it is another execution, or neither is whole: both count, with a warning.  A table of processes 77 and 78 contains what the
# tables of 77 contain, and cannot count next to them; nor next to those of 77 and 78 in any directory.  Where each table has
# kernels that the other lacks, as those of two nodes have, both count, with a warning: 3 + 2 calls, and nothing is an error.
tables() { # DIR PID LATE
	mkdir -p "$1"
	echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' >"$1/$2_kernel_trace.csv"
	echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp' >"$1/$2_hip_api_trace.csv"
	for i in 1 2 3; do
		echo "KERNEL_DISPATCH,4,k,$i,$((${i}000 + ${3:-0})),$((${i}${i}00 + ${3:-0}))" >>"$1/$2_kernel_trace.csv"
		echo "HIP_RUNTIME_API,hipLaunchKernel,$2,$2,$i,${i}000,${i}001" >>"$1/$2_hip_api_trace.csv"
	done
}
rocprof() { # DIR SHIFT PID...: two kernels of each
	mkdir -p "$1"
	t="$1/results.csv" by=$2
	shift 2
	echo '"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","BeginNs","EndNs"' >"$t"
	for pid; do
		echo "0,\"k\",0,0,0,$pid,$pid,64,64,$((by + 1000)),$((by + 1100))"
		echo "1,\"k\",0,0,1,$pid,$pid,64,64,$((by + 2000)),$((by + 2200))"
	done >>"$t"
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
tables a 77 && rocprof a 0 77 && ask a
tracemerge -q -o a.db a && ask a.db
rocprof a 1000000000 77 && ask a
rm a/results.csv
cat >a/w.pt.trace.json <<'J'
{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":77,"tid":77,"ts":1700000000000000.000,"dur":0.001,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":1700000000000000.000,"dur":0.100,"args":{"device":0,"stream":1,"correlation":1}}]}
J
ask a
mkdir t && cp a/*.json t && sed -i 's/"k"/"q"/' a/*.json && ask a
rm a/*.json && ask t a && ask 0=a 1=t
rocprof a 0 77 78 && ask a
tables b/rank_0 77 && tables b/rank_1 78 7 && rocprof b/v1 0 77 78 && ask b
rm -r a b && tables a 77 && rocprof a 0 77 && sed -i 's/"k"/"q"/' a/results.csv && ask a
tables b/rank_0 77 && tables b/rank_1 78 7 && rocprof b/v1 0 77 78 && sed -i 's/"k"/"q"/' b/v1/results.csv && ask b
