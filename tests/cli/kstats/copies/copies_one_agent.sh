# 100000 kernels, half of the time, [10i, 10i + 5), and as many copies, [10i, 1000000), each from another agent.
# First all of one agent, to which all copies go; then each of its own, where copies do not say which way they
# go: all kernels hide.  Copy i is exposed for 5 (100000 - i), together 5 * 100000 * 100001 / 2 = 25000250000.  A
# pair of agents does not look at every kernel: that would take minutes.
copies() {
	awk -v way="$1" -v to="$2" 'BEGIN {
		print "Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < 100000; i++)
			printf "MEMORY_COPY,%s,Agent %d,%s,%d,%d,1000000\n", way, i + 2, to, i + 1, 10 * i
	}'
}
kernels() {
	awk -v each="$1" 'BEGIN {
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
		for (i = 0; i < 100000; i++)
			printf "KERNEL_DISPATCH,Agent %d,1,f,%d,%d,%d\n", 1 + each * i, i + 1, 10 * i, 10 * i + 5
	}'
}
copies MEMORY_COPY_HOST_TO_DEVICE "Agent 1" >1_memory_copy_trace.csv
kernels 0 >1_kernel_trace.csv
copies "" "" >2_memory_copy_trace.csv
kernels 1 >2_kernel_trace.csv
for run in 1 2; do
	kstats copies -q -f csv --columns exposed_ns ${run}_memory_copy_trace.csv ${run}_kernel_trace.csv >out || exit
	awk '{ n += $1 } END { printf "%.0f\n", n }' out
done
