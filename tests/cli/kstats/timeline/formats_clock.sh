# One run by rocprofv3, whose clock counts from boot, and by torch.profiler, which counts from 1970: 1.7e18 ns later here.
# Kernels k 10..14 us, k 20..24 us and k 30..36 us, and a copy 24..26 us: busy 4 + 4 + 2 + 6 = 16 us of 10..36 us, 26 us.
t0=1700000000000000
kernels() {
	echo 'Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
	printf 'KERNEL_DISPATCH,4,1,k,%d,%d,%d\n' 1 10000 14000 2 20000 24000 3 30000 36000
}
calls() {
	echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp'
	printf 'HIP_RUNTIME_API,hipLaunchKernel,7,7,%d,%d,%d\n' 1 5000 6000 2 16000 17000 3 27000 28000
}
copies() {
	echo 'Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp'
	echo 'MEMORY_COPY,MEMORY_COPY_DEVICE_TO_HOST,4,0,4,24000,26000'
}
# kineto EVENT...: those and the kernels; $2 microseconds later is the second kernel.
x() { printf ',{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":7,"ts":%d,"dur":%d,"args":{%s}}' "$@"; }
kineto() {
	printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[{"ph":"M","name":"process_name","pid":7,"args":{"name":"python"}}'
	x kernel k 0 $((t0 + 10)) 4 '"device":0,"stream":1,"correlation":71'
	x kernel k 0 $((t0 + 20 + ${1:-0})) 4 '"device":0,"stream":1,"correlation":72'
	x kernel k 0 $((t0 + 30)) 6 '"device":0,"stream":1,"correlation":73'
	x user_annotation step 7 $((t0 + 4)) 21 ''
	x user_annotation step 7 $((t0 + 26)) 13 ''
	[ "$2" ] && x gpu_memcpy 'Memcpy DtoH (Device -> Host)' 0 $((t0 + 24)) 2 "\"device\":0,\"stream\":1,\"correlation\":$2,\"bytes\":64"
	[ "$3" ] && for i in 1 2 3; do x cuda_runtime hipLaunchKernel 7 $((t0 + 11 * i - 6)) 1 "\"correlation\":7$i"; done
	echo ']}'
}
ask() { kstats timeline -f csv --columns agent,window_ns,busy_ns,compute_ns,copy_ns,kernels "$@"; echo "status $?"; }
# Only the steps are torch.profiler's, 4..25 us and 26..39 us: two launches are in the first, one in the second.
mkdir a && kernels >a/7_kernel_trace.csv && calls >a/7_hip_api_trace.csv && copies >a/7_memory_copy_trace.csv && kineto >a/w.pt.trace.json
ask a
kstats regions -q -f csv --columns region,count,gpu_total_ns,kernels,first_ns,last_ns a
kstats steps -q -f csv --columns step,start_ns,window_ns,busy_ns,kernels a >want; cat want
tracemerge -q -o run.db a && kstats steps -q -f csv --columns step,start_ns,window_ns,busy_ns,kernels run.db | cmp - want
kstats steps -q -f csv --columns step,start_ns,window_ns,busy_ns,kernels run.db a | cmp - want
# Calls and copies are torch.profiler's: with the kernels of the same ids, on their clock.  The copy
# has no call.
mkdir b && kernels >b/7_kernel_trace.csv && kineto 0 74 calls >b/w.pt.trace.json
ask b
kstats gaps -q -f csv --columns agent,gaps,idle_ns,matched_pct b
# Only the copy is: its id, 2, is not that of the second launch of rocprofv3.  The calls of 3 of 4 operations are known.
rm a/7_memory_copy_trace.csv && kineto 0 2 >a/w.pt.trace.json
ask a
kstats gaps -q -f csv --columns agent,gaps,idle_ns,matched_pct a
# The second kernel is 8 us later: no one offset leads from one clock to the other.
kineto 8 >a/w.pt.trace.json
ask a
kstats top -q -f csv --columns calls,total_ns --domain marker a; echo "status $?"
