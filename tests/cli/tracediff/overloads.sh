# Overloads of one function have one short name: the lines below the verdict have their whole names.
run() { # FILE NS
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp >"$1"
	at=1000
	for name in 'void k(float const*, int)' 'void k(double const*, int)' 'void other(int)'; do
		echo "KERNEL_DISPATCH,4,\"$name\",$at,$at,$((at + $2))" >>"$1"
		at=$((at + 50000 + $2))
	done
}
run a_kernel_trace.csv 20000
run b_kernel_trace.csv 40000
tracediff -q a_kernel_trace.csv b_kernel_trace.csv | grep duration
