# Ten kernels of 90 ns every 100 ns; the first two have their calls.  The only gap with a cause is that before the second,
# 10 of 990 ns, all of it behind the call: device 1.0101 %.  Launch is 0 % of what is known, of two operations in ten:
# the page says so and does not call it met.  A launching call that fills the gap, 1.0101 %, is a miss even so.
kernels() {
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo "\"KERNEL_DISPATCH\",4,1,\"gemm_kernel\",$((i + 1)),1${i}00,1${i}90"
	done
}
calls() { # of the second call: START END
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,900,950'
	echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",77,7,2,$1,$2"
}
kernels >k_kernel_trace.csv
calls 960 1000 >k_hip_api_trace.csv
kstats summary -f csv ./k*.csv >out
grep gaps out
calls 1080 1110 >k_hip_api_trace.csv
kstats summary -q -f csv ./k*.csv >out
grep gaps.launch out
