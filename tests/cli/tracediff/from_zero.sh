# A kernel that took 0 ns in A and 40 ns in B is slower by no share: the times are told, and the limit is held against
# all kernels, 30 * 40 ns of 3 ms: 0.04 %.
trace() { # FOLDER ns
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		for i in $(seq 30); do
			echo "KERNEL_DISPATCH,Agent 1,zero,$i,${i}000000,$((i * 1000000 + $2))"
			echo "KERNEL_DISPATCH,Agent 1,big,1$i,${i}500000,$((i * 1000000 + 600000 + i % 7))"
		done
	} >"$1/app_kernel_trace.csv"
}
trace a 0
trace b 40
tracediff -q --on kernel --fail-over 5 --columns name,delta_pct,significant,note a b; echo $?
tracediff -q --on kernel --fail-over 0.03 --columns name,delta_pct,significant,note b a; echo $?
tracediff -q --on kernel --fail-over 0.03 a b
