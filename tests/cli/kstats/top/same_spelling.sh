# However a file is named, it is the same one: x.db was made of out before the program ran again (1 call then, 2 now), so they
# cannot count together, and the calls of out/7 belong to its kernels: each begins 10 ns after its call ends.
mkdir out
row() { echo "KERNEL_DISPATCH,4,k,$1,${1}100,${1}200" >>out/7_kernel_trace.csv; }
echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' >out/7_kernel_trace.csv
row 1 && tracemerge -q -o x.db out && row 2
for f in out ./out out/../out "$PWD//out/." ./out/../out/; do
	kstats top -f csv x.db "$f" 2>err || grep -c "has changed since" err
done
rm x.db
{
	echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp'
	echo 'HIP_RUNTIME_API,hipLaunchKernel,7,7,1,1080,1090'
	echo 'HIP_RUNTIME_API,hipLaunchKernel,7,7,2,2080,2090'
} >out/7_hip_api_trace.csv
kstats launch -f csv --columns name,calls,queue_avg_ns out/7_kernel_trace.csv ./out//7_hip_api_trace.csv
