# Two formats in directories of their own, with the same kernels in the same nanoseconds: one run, 2 calls, but where they say
# that they are not.  The database is of process 77 on host n0, its kernel k, or a(int*) where a name is given.
db() {
	PYTHONPATH=$ROOT/tests/gen python3 -B - "$1" "${2:-k}" <<-'P'
	import sys
	import make_databases as M
	c = M.create(sys.argv[1])
	r = M.Rocpd(c, "0000004d-0000-7000-8000-000000000001", 0, 77, host="n0")
	r.agent(4, "GPU", "gfx90a", 4)
	r.kernel(1, sys.argv[2])
	r.dispatch(1, 1, 1000, 2000, 1)
	r.dispatch(2, 1, 3000, 3500, 2)
	M.close(c, sys.argv[1])
	P
}
# json HOST PID NAME
json() {
	one='"size":1,"kind":0,"operation":0,"thread_id":7,"dispatch_info":{"agent_id":{"handle":4},"queue_id":{"handle":1},"kernel_id":1,"dispatch_id'
	printf '{"rocprofiler-sdk-tool":[{"metadata":{"pid":%d,"node":{"hostname":"%s"}},"agents":[],"strings":{"buffer_records":[{"kind":"KERNEL_DISPATCH","operations":["NONE"]}]},' "$2" "$1"
	printf '"kernel_symbols":[{"kernel_id":1,"kernel_name":"%s","formatted_kernel_name":"%s"}],"buffer_records":{"kernel_dispatch":[' "$3" "$3"
	printf '{%s":%d},"start_timestamp":%d,"end_timestamp":%d}%s' "$one" 1 1000 2000 , "$one" 2 3000 3500 ']}}]}'
}
ask() { kstats top -q -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
mkdir -p a/csv a/db a/json && db a/db/77_results.db && json n0 77 k >a/json/77_results.json
ask a
# Another host, another process, another name.
json n1 77 k >a/json/77_results.json && ask a
json n0 78 k >a/json/77_results.json && ask a
json n0 77 q >a/json/77_results.json && ask a
tracemerge -q -o run.db a && ask run.db
# As it is told elsewhere: with its arguments, mangled, cut.
db a/db/77_results.db 'void ns::alpha(int*, float)'
for name in 'void ns::alpha(int*, float)' 'ns::alpha' 'void ns::alph'; do json n0 77 "$name" >a/json/77_results.json && ask a; done
# A table says of which process it is if there are its calls: 4 calls of 77 and 78, else 2.
rm -r a/json && db a/db/77_results.db
printf '%s\n' Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp KERNEL_DISPATCH,4,k,1,1000,2000 KERNEL_DISPATCH,4,k,2,3000,3500 >a/csv/x_kernel_trace.csv
ask a
printf '%s\n' Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp HIP_RUNTIME_API,hipFree,78,78,9,100,200 >a/csv/x_hip_api_trace.csv
ask a
