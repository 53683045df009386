# One run by two profilers in directories of their own, on two clocks (torch.profiler counts from 1970): k of 1001, 1002,
# ... ns, each 10 us after the one before.  16 kernels or more with the same lengths to the nanosecond and the same distances
# are of one execution: 16 calls, 1001 + ... + 1016 = 16136 ns, of one rank.  Fewer may be alike by chance (2 times 15 calls,
# 15120 ns, and a warning) unless both name the same process (15 calls), the last one 40 us later is another execution (2 times 16), and where two tables may be the run
# of the third, all are what they are (3 times 16).
csv() { # FILE KERNELS SHIFT LATE: the last one is LATE ns late
	mkdir -p "${1%/*}"
	echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' >"$1"
	for i in $(seq "$2"); do
		s=$((5000000 + i * 10000 + $3 + ($4 * (i == $2))))
		echo "KERNEL_DISPATCH,4,k,$i,$s,$((s + 1000 + i))"
	done >>"$1"
}
kineto() { # FILE KERNELS
	mkdir -p "${1%/*}"
	printf '{"schemaVersion":1,"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}}' >"$1"
	for i in $(seq "$2"); do
		printf ',{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":%d.125,"dur":1.%03d,"args":{"device":0,"stream":1,"correlation":%d}}' \
			$((1700000000000000 + i * 10)) "$i" "$i"
	done >>"$1"
	echo ']}' >>"$1"
}
ask() { kstats top -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
csv a/prof/77_kernel_trace.csv 16 0 0 && kineto a/torch/w.pt.trace.json 16 && ask a
ask a/torch a/prof
tracemerge -q -o a.db a && ask a.db
csv b/prof/77_kernel_trace.csv 15 0 0 && kineto b/torch/w.pt.trace.json 15 && ask b
echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp' >b/prof/77_hip_api_trace.csv
echo HIP_RUNTIME_API,hipLaunchKernel,77,77,1,5000000,5001000 >>b/prof/77_hip_api_trace.csv
sed -i 's/\]}$/,{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":77,"tid":77,"ts":1700000000000000.125,"dur":1,"args":{"correlation":1}}]}/' b/torch/*
ask b
csv c/prof/77_kernel_trace.csv 16 0 40000 && cp -r a/torch c && ask c
cp -r a d && csv d/again/78_kernel_trace.csv 16 7000 0 && ask d
