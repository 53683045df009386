# Two processes of one rank, 77 and 78, each with a kernel, its call and a marker; both count their
# correlation ids from 1, and kernels name no process.
#   77: call [10,14), kernel a [100,110): A 4, Q 86, K 10, T 100; marker A holds the call
#   78: call [60,63), kernel b [105,125): A 3, Q 42, K 20, T 65; marker B holds it
# By id and time alone both kernels would have the call of 78, the last before them.
# The same from files in another order, and from run.db.
# Process 79 has a kernel c, but no call: its files are numbered like those of 77 and 78, so it is
# another process, and c, whose id is 1 too, has no launch: 1 of 3.
# Gaps: [125,130) ends at c, which has no call.  [140,200) ends at kernel a2 of 77, whose call is
#   [150,160): 10 before it (host), 10 in it, 40 behind it (device); 78 has a call of that id as well,
#   [170,171).
kernels() { # PID NAME ID START END
	[ -f rank0/"$1"_kernel_trace.csv ] ||
		echo '"Kind","Agent_Id","Queue_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' >rank0/"$1"_kernel_trace.csv
	echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,$1,\"$2\",$3,$4,$5" >>rank0/"$1"_kernel_trace.csv
}
calls() { # PID TABLE DOMAIN NAME ID START END
	[ -f rank0/"$1"_"$2"_trace.csv ] ||
		echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' >rank0/"$1"_"$2"_trace.csv
	echo "\"$3\",\"$4\",$1,$1,$5,$6,$7" >>rank0/"$1"_"$2"_trace.csv
}
mkdir rank0
kernels 77 a 1 100 110
calls 77 hip_api HIP_RUNTIME_API hipLaunchKernel 1 10 14
calls 77 marker_api MARKER_CORE_RANGE_API A 9 0 20
kernels 78 b 1 105 125
calls 78 hip_api HIP_RUNTIME_API hipLaunchKernel 1 60 63
calls 78 marker_api MARKER_CORE_RANGE_API B 9 50 70
launch() { kstats launch -q -f csv --columns name,calls,api_avg_ns,queue_avg_ns,total_avg_ns "$@"; }
launch rank0
launch 0=rank0/78_marker_api_trace.csv 0=rank0/78_kernel_trace.csv 0=rank0/77_kernel_trace.csv \
	0=rank0/78_hip_api_trace.csv 0=rank0/77_hip_api_trace.csv 0=rank0/77_marker_api_trace.csv
kstats regions -q -f csv --columns region,gpu_total_ns,kernels rank0
kstats ops -q -f csv --columns op,self_ns,kernels rank0
kstats top -q -f csv --columns name,calls --region A rank0
tracemerge -q -o m.db rank0
launch m.db
kstats regions -q -f csv --columns region,gpu_total_ns,kernels m.db
tracecat -q --to chrome rank0 >t.json
grep -c '"ph":"s"' t.json
kernels 79 c 1 130 140
kstats launch -f csv --columns name,calls,api_avg_ns rank0
kernels 77 a2 2 200 210
calls 77 hip_api HIP_RUNTIME_API hipLaunchKernel 2 150 160
calls 78 hip_api HIP_RUNTIME_API hipLaunchKernel 2 170 171
kstats gaps --list -q -f csv --columns gap_ns,next,sync_ns,host_ns,launch_ns,device_ns,unknown_ns rank0
