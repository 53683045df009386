# A timeline of tracecat next to its trace, which has counters: it is no pass over the same dispatches, and all is told as
# by the trace alone.  Kernels k 10..14 us and 20..26 us, and 4096 bytes allocated at 1 us (peak).  Drawn in Chrome's format the
# clock is another.
mkdir a
cat >a/7_kernel_trace.csv <<-'C'
	Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Dispatch_Id,Start_Timestamp,End_Timestamp
	KERNEL_DISPATCH,4,1,k,1,1,5000010000,5000014000
	KERNEL_DISPATCH,4,1,k,2,2,5000020000,5000026000
C
cat >a/7_counter_collection.csv <<-'C'
	Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Name,Workgroup_Size,LDS_Block_Size,Scratch_Size,VGPR_Count,SGPR_Count,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp
	1,1,4,1,7,7,256,k,64,0,0,8,16,SQ_WAVES,4,5000010000,5000014000
	2,2,4,1,7,7,256,k,64,0,0,8,16,SQ_WAVES,4,5000020000,5000026000
C
cat >a/7_memory_allocation_trace.csv <<-'C'
	Kind,Operation,Agent_Id,Allocation_Size,Address,Correlation_Id,Start_Timestamp,End_Timestamp
	MEMORY_ALLOCATION,MEMORY_ALLOCATION_ALLOCATE,4,4096,0x1000,9,5000001000,5000001500
C
ask() {
	kstats timeline -f csv --columns rank,agent,window_ns,busy_ns,kernels "$@"
	kstats memory -q -f csv --columns rank,agent,allocs,peak_bytes,peak_at_ns "$@"
	kstats counters -q -f csv "$@"
}
ask a | tee want
for to in chrome pftrace; do
	cp -r a $to && tracecat -q --to $to a >$to/picture.json && ask $to | cmp - want
done
# Of several formats, too.
cat >chrome/w.pt.trace.json <<-'C'
	{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[{"ph":"M","name":"process_name","pid":9,"args":{"name":"python"}},
	{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":9010,"dur":4,"args":{"device":0,"stream":1,"correlation":1}},
	{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":9020,"dur":6,"args":{"device":0,"stream":1,"correlation":2}}]}
C
ask chrome | cmp - want
