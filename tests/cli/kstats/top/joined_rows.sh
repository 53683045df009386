# The newline between two rows is lost.  Both are read where the place is known; a number that would be of
# both is of neither.  A cut row in front of another takes nothing of that one with it.  Never is there a
# kernel with a name made of two.
kernels='"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
printf '%s\n' "$kernels" '"KERNEL_DISPATCH",4,"a(int, float)",1,100,110"KERNEL_DISPATCH",4,"b",2,200,220' \
	'"KERNEL_DISPATCH",4,"c",3,300,330' >kernel_trace.csv
kstats top -f csv --columns calls,total_ns,name kernel_trace.csv
echo "two words:"
printf '%s\n' 'Domain,Function,Start_Timestamp,End_Timestamp,Correlation_ID' '' \
	'HIP_API_DOMAIN,"hipMalloc",100,110,1HIP_API_DOMAIN,"hipFree",200,220,2' >hip_api_trace_1.csv
kstats top -f csv --domain hip --columns calls,total_ns,name hip_api_trace_1.csv
echo "a number of both, that nobody needs:"
printf '%s\n' 'Dispatch_ID,GPU_ID,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,SQ_WAVES' '' \
	'1,4,"a",100,110,7,1.0000002,4,"b",200,220,8,2.000000' '3,4,"c",300,330,9,3.000000' >results_1.csv
kstats top -f csv --columns calls,total_ns,name results_1.csv
tracecat --columns kind,corr,name,dispatch_id,counter,value results_1.csv
echo "one that is needed:"
printf '%s\n' 'Index,KernelName,gpu-id,SQ_WAVES,BeginNs,EndNs' '0,"a",0,64,100,1101,"b",0,64,200,220' >results.csv
kstats top -f csv --columns calls,total_ns,name results.csv
echo "statistics:"
printf '%s\n' '"Name","Calls","TotalDurationNs","AverageNs","Percentage"' \
	'"a<1, 2>",2,60,30,60.0"b",1,40,40,40.0' >results.stats.csv
kstats top -f csv --columns calls,total_ns,name results.stats.csv
echo "the first is cut:"
printf '%s\n' "$kernels" '"KERNEL_DISPATCH",4,"a(int, fl"KERNEL_DISPATCH",4,"b",2,200,220' \
	'"KERNEL_DISPATCH",4,"c",3,300,330' >kernel_trace.csv
kstats top -f csv --columns calls,total_ns,name kernel_trace.csv
