# A picture of each of two processes next to their traces, drawn one at a time, so that each says that it is rank 0.  The
# processes stay ranks 0 and 1 by the order of their names, as without the pictures, in the numbers and in info: process
# 100 has 2 kernels and 2 calls, process 200 has 3 of each.
trace() { # PID KERNELS
	awk -v pid="$1" -v n="$2" 'BEGIN {
		k = pid "_kernel_trace.csv"; a = pid "_hip_api_trace.csv"
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >k
		print "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"" >a
		for (i = 1; i <= n; i++) {
			at = pid * 10000 + i * 1000
			printf "\"KERNEL_DISPATCH\",2,1,\"k%d\",%d,%d,%d\n", pid, i, at, at + 500 + i >k
			printf "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",%d,%d,%d,%d,%d\n", pid, pid, i, at - 300, at - 200 >a
		}
	}'
}
look() {
	echo "$1:"
	kstats timeline -q -f csv --columns rank,window_ns,kernels "$1"
	tracecat info -q -f csv --columns rank,rank_rule,path "$1"
	tracecat -q --columns rank,kind "$1" >out && sort out | uniq -c | sed 's/^ *//'
}
mkdir two both
cd two && trace 100 2 && trace 200 3
cd .. && cp two/* both
for pid in 100 200; do
	tracecat -q --to pftrace -o both/$pid.pftrace two/${pid}_*.csv
done
look two
look both
# The calls are in the pictures alone: they are of the same ranks as the kernels.
rm both/*api*
look both
# One picture of one run of another name, read after it or before it.
mkdir one
cp two/100_* one
tracecat -q --to chrome -o timeline.json one
cp timeline.json one/
look one
mv one/timeline.json one/0.json
look one
# The rank that the user gives to a picture is that of its run.
tracecat info -q -f csv --columns rank,rank_rule,path 7=one/0.json one/100_kernel_trace.csv
