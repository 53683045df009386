# Twenty kernels of 100 us with 1 us between them on one GPU, then as many on the other: of 4039 us each is busy for
# 2000.  At the same time they would take 2039 us less, and savings are shares of the time of both.
rows() { # HOW LATE THE SECOND GPU BEGINS
	awk -v second="$1" 'BEGIN {
		print "kind,pid,agent,queue,name,start_ns,end_ns"
		for (gpu = 0; gpu < 2; gpu++)
			for (i = 0; i < 20; i++) {
				start = 1000000 + gpu * second + i * 101000
				printf "kernel,1,%d,1,%s,%d,%d\n", 4 + gpu, i % 2 ? "Cijk_a" : "vectorized_elementwise_kernel", start, start + 100000
			}
	}'
}
rows 2020000 >apart.csv
rows 0 >together.csv
for run in apart together; do
	kstats findings -q -f csv --columns id,severity,saves_ns,saves_pct,title $run.csv || exit
	kstats efficiency -q -f csv --columns metric,lost_ns $run.csv | grep orch
done
# After its last work a GPU is idle without a cause: that is no reason to trace the API, which was traced.
awk 'BEGIN {
	api = "a_hip_api_trace.csv"
	kernel = "a_kernel_trace.csv"
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
	for (i = 1; i <= 10; i++) {
		printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", i, 1000000 + 10000 * i, 1002000 + 10000 * i >api
		printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", i, 1100000 + 100000 * i, 1200000 + 100000 * i >kernel
	}
}'
mkdir api
mv a_* api
kstats findings -q -f csv --columns id,saves_ns,title,advice -w +0..+2ms api
rm api/a_hip*
kstats findings -q -f csv --columns id,saves_ns,title,advice -w +0..+2ms api
