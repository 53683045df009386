# What cannot be answered is refused, with status 2 and one line.
d=$TESTDATA/rocprofv3/7.0
k() {
	kstats whatif -q -f csv "$@" >out
	echo $?
}
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
{
	echo "$head"
	echo '"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,"gemm",1,1000,2000'
} >m_kernel_trace.csv
for o in '--no-sync' '--launch 0' '--host 0.5' '--balance' '--comm 0.5' '--scale gemm' '--scale conv=0.5' \
	'--scale gemm=-1' '--scale gemm=0.1234567' '--scale /[/=1' '--scale /none/=1' '--copy x'; do
	echo "# $o"
	# shellcheck disable=SC2086
	k $o m_kernel_trace.csv 2>&1
done
echo '# filters that choose kernels'
k -k gemm m_kernel_trace.csv 2>&1
k --class gemm m_kernel_trace.csv 2>&1
k --agent 4 m_kernel_trace.csv 2>&1
echo '# --scale of nothing'
k --scale '' m_kernel_trace.csv 2>&1
echo '# no operations, statistics'
k "$d"/sync_each/app_hip_api_trace.csv 2>&1
k "$d"/stats/app_kernel_stats.csv 2>&1
echo '# counters'
k "$d"/pmc 2>&1
