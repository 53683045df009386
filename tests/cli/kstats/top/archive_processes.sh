# Two processes of a node describe the same agents, and may make the same calls; in an archive, or compressed, they are two
# runs all the same, as in a folder: two calls of k (2600 ns), whatever holds them.
make() {
	mkdir -p n && printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\nKERNEL_DISPATCH,4,k,1,%s\n' "$2" >"n/$1_kernel_trace.csv"
	printf 'Node_Id,Agent_Type,Name\n0,CPU,EPYC\n4,GPU,gfx90a\n' >"n/$1_agent_info.csv"
}
ask() { kstats top -q -f csv --columns name,calls,total_ns "$@"; echo "$?"; }
make 77 1000,2000 && make 78 1100,2700 && tar cf n.tar n && ask n && ask n.tar && rm n.tar
tar cf 77.tar n/77* && tar cf 78.tar n/78* && ask 77.tar 78.tar && rm ./*.tar
printf 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nHIP_RUNTIME_API,hipFree,7,7,1,10,20\n' >n/77_hip_api_trace.csv
cp n/77_hip_api_trace.csv n/78_hip_api_trace.csv && tar cf n.tar n && ask n.tar && ask n n.tar && rm n.tar n/*hip*
# statistics of the one, beside the trace of the other
printf 'Name,Calls,TotalDurationNs,AverageNs,Percentage,MinNs,MaxNs,StdDev\nk,1,1600,1600,100,1600,1600,0\n' >n/78_kernel_stats.csv
rm n/78_kernel_trace.csv && tar cf n.tar n && ask n.tar && rm -r n n.tar
# counters of two processes
for p in 77 78; do
	make $p 1,2 && rm n/*trace.csv
	printf 'Correlation_Id,Dispatch_Id,Agent_Id,Process_Id,Grid_Size,Kernel_Name,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n1,1,4,%d,512,k,64,SQ_WAVES,8,%d000,%d300\n' $p $p $p >n/${p}_counter_collection.csv
done
gzip n/*.csv && ask n && tar cf n.tar n && ask n.tar
