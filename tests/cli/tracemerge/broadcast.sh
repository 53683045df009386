# Twelve all-reduces that two ranks end together and twelve broadcasts that rank 1, whose clock is 5 ms ahead, ends 300 us after
# rank 0.  The former align the clocks; broadcasts alone do not, and nor do kernels of that name.
rows() {
	awk -v r="$1" -v few="$2" 'BEGIN {
		print "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\""
		for (i = 1; i <= 24; i++) {
			all = i % 2
			if (all && few)
				continue
			end = 7000000000 + i * 1000000 + i * i % 7 * 1000 + r * (5000000 + (all ? 0 : 300000))
			printf "\"KERNEL_DISPATCH\",4,1,1,\"ncclDevKernel_%s_RING_LL(ncclDevKernelArgs)\",%d,%.0f,%.0f\n", all ? "AllReduce_Sum_f32" : "Broadcast", i, end - 500000, end
		}
	}'
}
for few in 0 1; do
	rows 0 $few >rank0.csv
	rows 1 $few >rank1.csv
	tracemerge -o run.db rank0.csv rank1.csv 2>err
	sed 's/, [0-9]* bytes.*//' err
	sqlite3 run.db 'SELECT input, method, offset_ns FROM clock'
	rm run.db
done
