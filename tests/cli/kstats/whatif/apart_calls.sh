# Two ranks launch 40 kernels of 100 us, one after the other 55 us later; rank 1 allocates for 90 us each time, rank 0
# works as long.  The scenario of calls that allocate is of rank 1 alone, where it saves 39 * (155 - 101) us, and of
# the traces as of their totals.  So is that of calls that free.
for call in hipMalloc hipFree; do
	for rank in 0 1; do
		awk -v rank=$rank -v call=$call 'BEGIN {
			api = rank "_hip_api_trace.csv"
			kernel = rank "_kernel_trace.csv"
			print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp" >api
			print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp" >kernel
			for (i = 0; i < 40; i++) {
				t = 1000000 + i * 155000
				printf "HIP_RUNTIME_API,hipLaunchKernel,%d,1,%d,%d,%d\n", rank + 1, 2 * i + 1, t, t + 5000 >api
				printf "KERNEL_DISPATCH,Agent 4,1,Cijk_a,%d,%d,%d\n", 2 * i + 1, t + 6000, t + 106000 >kernel
				if (rank)
					printf "HIP_RUNTIME_API,%s,%d,1,%d,%d,%d\n", call, rank + 1, 2 * i + 2, t + 5000, t + 95000 >api
			}
		}'
		tracemerge -q --stats-only -o $rank.db $rank=${rank}_hip_api_trace.csv $rank=${rank}_kernel_trace.csv || exit
	done
	kstats whatif -q -f csv --apart --columns scenario,ranks,rank,saved_ns 0=0_hip_api_trace.csv 0=0_kernel_trace.csv \
		1=1_hip_api_trace.csv 1=1_kernel_trace.csv >traces || exit
	kstats whatif -q -f csv --apart --columns scenario,ranks,rank,saved_ns 0.db 1.db | cmp - traces || exit
	grep -e 'alloc' -e 'frees' traces
	rm ./*.db
done
