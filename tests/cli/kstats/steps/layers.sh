# 32 times the same two kernels, of 10 and 20 us, back to back.  In the first trace the GPU is idle for 200 us
# after every fourth time: those are the ends of iterations and not slow, as far as one can tell.  In the second
# it is idle after the 3rd, 10th and 21st: three slow steps, 200 us over the median of 30 us each.
trace() {
	awk -v after="$1" 'BEGIN {
		print "Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp"
		t = 1000000
		for (i = 1; i <= 32; i++) {
			printf "KERNEL_DISPATCH,Agent 1,1,attention,%d,%d,%d\n", 2 * i, t, t + 10000
			printf "KERNEL_DISPATCH,Agent 1,1,mlp,%d,%d,%d\n", 2 * i + 1, t + 10000, t + 30000
			t += 30000
			if (after == "4th" ? i % 4 == 0 : i == 3 || i == 10 || i == 21)
				t += 200000
		}
	}'
}
trace 4th >regular_kernel_trace.csv
trace some >irregular_kernel_trace.csv
for f in regular irregular; do
	kstats steps --total -q ${f}_kernel_trace.csv
	kstats steps -q -f csv --columns slow ${f}_kernel_trace.csv | sort | uniq -c | awk '{ print $2, $1 }'
	kstats findings -q -f csv --columns id,saves_ns ${f}_kernel_trace.csv
done
