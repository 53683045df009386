# Idle time without a cause is of a rank whose calls were not traced, though nearly all work is of one whose calls were.
k='"Kind","Agent_Id","Queue_Id","Dispatch_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
a='"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
mkdir -p run/rank0 run/rank1
{
	echo "$k"
	for i in 1 2 3 4; do
		echo "KERNEL_DISPATCH,Agent 2,1,$i,k,$i,$((i * 1000000)),$((i * 1000000 + 1000))"
	done
} >run/rank0/1_kernel_trace.csv
echo "$k" >run/rank1/1_kernel_trace.csv
echo "$a" >run/rank1/1_hip_api_trace.csv
for i in $(seq 1 80); do
	echo "KERNEL_DISPATCH,Agent 2,1,$i,k,$i,$((1000000 + i * 2000)),$((1001500 + i * 2000))" >>run/rank1/1_kernel_trace.csv
	echo "HIP_RUNTIME_API,hipLaunchKernel,1,1,$i,$((999000 + i * 2000)),$((999500 + i * 2000))" >>run/rank1/1_hip_api_trace.csv
done
kstats findings -q -f csv --columns id,title run | grep idle-
kstats findings --explain idle-unknown run
