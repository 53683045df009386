# One run by two profilers in directories of their own, as a torch.profiler writes it that rounds down to microseconds: k of
# 5100, 5200, ... ns, each 10 us after the one before.  16 kernels that are as far from the first one, of one process, are of
# one execution: 16 calls, 5100 + ... + 6600 = 93600 ns.  Of another process it is another execution, and both count: 16 + 16
# calls, 93600 + 87000 ns (9 of 5 us, 7 of 6).  Where one of them names no process nobody knows, which is an
# error; where the ranks differ it is none.  A kernel that starts 40 us later is of another execution.
csv() { # FILE PID LATE
	mkdir -p "${1%/*}"
	echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' >"$1_kernel_trace.csv"
	echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp' >"$1_hip_api_trace.csv"
	for i in $(seq 16); do
		s=$((5000000 + i * 10000 + 20 * i + ($3 * (i == 16))))
		echo "KERNEL_DISPATCH,4,k,$i,$s,$((s + 5000 + 100 * i))" >>"$1_kernel_trace.csv"
		echo "HIP_RUNTIME_API,hipLaunchKernel,$2,$2,$i,$((s - 2000)),$((s - 1000))" >>"$1_hip_api_trace.csv"
	done
}
kineto() { # FILE PID
	mkdir -p "${1%/*}"
	printf '{"schemaVersion":1,"traceEvents":[{"ph":"M","name":"process_name","pid":%d,"args":{"name":"python"}}' "$2" >"$1"
	for i in $(seq 16); do
		t=$((1700000000000000 + i * 10))
		printf ',{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":%d,"tid":%d,"ts":%d,"dur":1,"args":{"correlation":%d}}' \
			"$2" "$2" $((t - 2)) "$i"
		printf ',{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":%d,"dur":%d,"args":{"device":0,"stream":1,"correlation":%d}}' \
			"$t" $((5 + i / 10)) "$i"
	done >>"$1"
	echo ']}' >>"$1"
}
ask() { kstats top -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
csv a/prof/77 77 0 && kineto a/torch/w.pt.trace.json 77 && ask a
tracemerge -q -o a.db a && ask a.db
kineto a/torch/w.pt.trace.json 78 && ask a
rm a/prof/*_hip_* && ask a && ask 0=a/prof 1=a/torch
csv a/prof/77 77 40000 && kineto a/torch/w.pt.trace.json 77 && ask a
