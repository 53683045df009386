# One run in CSV with node ids (GPU is 4) and in JSON with logical ones (GPU is 2): the copies are those of the JSON, which
# tells their bytes, and are of GPU 4.
# Kernels 10..14 us and 20..24 us, copy of GPU 4 at 24..26 us: busy 10 of 16 us.
mkdir a
printf '%s\n' 'Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp,VGPR_Count,SGPR_Count,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z' \
	KERNEL_DISPATCH,4,1,k,1,10000,14000,8,16,64,1,1 KERNEL_DISPATCH,4,1,k,2,20000,24000,8,16,64,1,1 >a/7_kernel_trace.csv
printf '%s\n' 'Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp' \
	MEMORY_COPY,MEMORY_COPY_DEVICE_TO_HOST,4,0,4,24000,26000 >a/7_memory_copy_trace.csv
# json LOGICAL SECOND [COUNTER]: the number of the GPU of the kernels, when the second one begins, a counter of both.
count() {
	printf '{"thread_id":7,"dispatch_data":{"correlation_id":{"internal":%d},"start_timestamp":%d,"end_timestamp":%d,"dispatch_info":{"agent_id":{"handle":92},"queue_id":{"handle":1},"kernel_id":1,"dispatch_id":%d}},"records":[{"counter_id":{"handle":31},"value":5}]}' \
		"$1" "$2" $(($2 + 4000)) "$1"
}
json() {
	cat <<-J
	{"rocprofiler-sdk-tool":[{"metadata":{"pid":7,"init_time":1,"fini_time":90000,"node":{"hostname":"h"}},
	"agents":[{"id":{"handle":90},"type":1,"name":"cpu","node_id":0,"logical_node_id":0},
	 {"id":{"handle":92},"type":2,"name":"gfx90a","node_id":4,"logical_node_id":$1}],
	"strings":{"buffer_records":[{"kind":"NONE","operations":[]},
	 {"kind":"MEMORY_COPY","operations":["MEMORY_COPY_NONE","MEMORY_COPY_HOST_TO_HOST","MEMORY_COPY_HOST_TO_DEVICE","MEMORY_COPY_DEVICE_TO_HOST"]},
	 {"kind":"KERNEL_DISPATCH","operations":["KERNEL_DISPATCH_NONE"]}]},
	"kernel_symbols":[{"kernel_id":1,"kernel_name":"k","formatted_kernel_name":"k"}],
	"counters":[{"id":{"handle":31},"name":"${3:-C}","is_constant":0}],
	"callback_records":{"counter_collection":[$([ "$3" ] && count 1 10000 && echo , && count 2 "$2")]},
	"buffer_records":{"kernel_dispatch":[
	 {"kind":2,"operation":0,"thread_id":7,"correlation_id":{"internal":1},"start_timestamp":10000,"end_timestamp":14000,"dispatch_info":{"agent_id":{"handle":92},"queue_id":{"handle":1},"kernel_id":1,"dispatch_id":1}},
	 {"kind":2,"operation":0,"thread_id":7,"correlation_id":{"internal":2},"start_timestamp":$2,"end_timestamp":$(($2 + 4000)),"dispatch_info":{"agent_id":{"handle":92},"queue_id":{"handle":1},"kernel_id":1,"dispatch_id":2}}],
	"memory_copy":[{"kind":1,"operation":3,"thread_id":7,"correlation_id":{"internal":4},"start_timestamp":24000,"end_timestamp":26000,"dst_agent_id":{"handle":90},"src_agent_id":{"handle":92},"bytes":64}]}}]}
	J
}
ask() { kstats timeline -f csv --columns agent,window_ns,busy_ns,copy_ns,kernels "$@"; echo "status $?"; }
json 2 20000 >a/7_results.json
ask a
ask a/7_results.json a/7_kernel_trace.csv a/7_memory_copy_trace.csv
kstats copies -q -f csv --columns direction,src,dst,bytes a
tracemerge -q -o run.db a && ask run.db && ask run.db a
json 4 20000 >a/7_results.json
ask a
# Passes, each in both formats: the counters of both are of GPU 4.
for i in 1 2; do
	mkdir -p b/pass_$i && cp a/7_kernel_trace.csv b/pass_$i && json 2 20000 C$i >b/pass_$i/7_results.json
done
sed -i 's/,20000,24000/,20000,24001/' b/pass_2/7_kernel_trace.csv && sed -i 's/"end_timestamp":24000/"end_timestamp":24001/g' b/pass_2/7_results.json
tracecat -q --columns agent,counter,value b | sort | uniq -c
