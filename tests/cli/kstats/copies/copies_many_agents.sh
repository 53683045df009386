# Very many pairs of agents: not every pair looks at the kernels of every agent.  Of each copy, ns 0 to 4 of 10,
# the kernels of its source hide 0 to 1 and those of its destination 1 to 3.
awk 'BEGIN {
	print "Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
	for (i = 1; i <= 40000; i++)
		printf "MEMORY_COPY,MEMORY_COPY_DEVICE_TO_DEVICE,%d,%d,%d,%d,%d\n", i, i + 50000, i, 10 * i, 10 * i + 4
}' > 1_memory_copy_trace.csv
awk 'BEGIN {
	print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
	for (i = 1; i <= 40000; i++) {
		printf "KERNEL_DISPATCH,%d,1,f,%d,%d,%d\n", i, i, 10 * i, 10 * i + 1
		printf "KERNEL_DISPATCH,%d,1,f,%d,%d,%d\n", i + 50000, i, 10 * i + 1, 10 * i + 3
		printf "KERNEL_DISPATCH,%d,1,f,%d,%d,%d\n", i + 100000, i, 10 * i, 10 * i + 4
	}
}' > 1_kernel_trace.csv
kstats copies -q -f csv 1_memory_copy_trace.csv 1_kernel_trace.csv > out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "exposed_ns") c = i } NR > 1 { n[$c]++ }
	END { for (v in n) print n[v], "rows with", v, "ns exposed" }' out
