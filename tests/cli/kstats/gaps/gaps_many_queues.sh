# 80000 queues, each with a kernel [i, i + 1) and one [2000000 + i, 2000000 + i + 1), launched at 1999998 by one
# thread, which waits 80000 times before, in [1000 + 3i, 1000 + 3i + 2).  So each gap, of 1999999, holds all of the
# waits but what is over when it begins, at i + 1; awk adds that up by itself.  Each wait covers 2 of a gap, the
# launch 1.  A gap does not look at each wait, and not at each call: that would take minutes.
n=80000
awk -v n=$n 'BEGIN {
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
	for (i = 0; i < n; i++) {
		printf "KERNEL_DISPATCH,Agent 4,%d,f,%d,%d,%d\n", i, 200000 + i, i, i + 1
		printf "KERNEL_DISPATCH,Agent 4,%d,f,%d,%d,%d\n", i, i + 1, 2000000 + i, 2000001 + i
	}
}' >1_kernel_trace.csv
awk -v n=$n 'BEGIN {
	print "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
	for (i = 0; i < n; i++) {
		printf "HIP_RUNTIME_API,hipStreamSynchronize,7,7,%d,%d,%d\n", 400000 + i, 1000 + 3 * i, 1002 + 3 * i
		printf "HIP_RUNTIME_API,hipLaunchKernel,7,7,%d,1999998,1999999\n", i + 1
	}
}' >1_hip_api_trace.csv
awk -v n=$n 'BEGIN {
	for (i = 0; i < n; i++) {
		e = i + 1 - 1000
		k = e <= 0 ? 0 : int(e / 3)
		in_wait = e <= 0 ? 0 : e % 3 > 2 ? 2 : e % 3
		sum += 2 * (n - k) - in_wait
	}
	printf "%.0f waited\n", sum
}'
kstats gaps -q -f csv --per queue --columns queue,sync_ns 1_*.csv >out || exit
awk -F, 'NR > 1 { sum += $2 } END { printf "%.0f waited\n", sum }' out
kstats gaps -q -f csv --per queue --list --columns queue,sync_ns,host_call 1_*.csv >out || exit
awk -F, 'NR > 1 { sum += $2; n[$3]++ } END { for (c in n) print n[c], c; printf "%.0f waited\n", sum }' out
