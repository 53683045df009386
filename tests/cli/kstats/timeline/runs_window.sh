# Runs of rank 0 that -w cuts out of: 77 works from 1000 to 21000, and 78 from 5000 to 16000, so they are not apart in
# 7000..13500 either, where 77 has a kernel at 8000 and 78 one at 12000.  79 begins 4000 ns after 77 ends: apart where the
# window holds both, but not where it holds neither of its kernels.  80 reaches from 77 to 79 and joins them, also where
# none of its kernels starts inside.
run() {
	mkdir -p "$1/rank0"
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"' >"$1/rank0/$1_kernel_trace.csv"
	for at in $2; do
		echo "\"KERNEL_DISPATCH\",4,1,\"k\",1,$at,$((at + 1000))"
	done >>"$1/rank0/$1_kernel_trace.csv"
}
run 77 '1000 8000 20000'
run 78 '5000 12000 15000'
run 79 '25000 27000'
run 80 '500 30000'
ask() {
	kstats timeline -q -f csv --columns rank,window_ns,busy_ns -w "$@"
	echo "-w $*: $?"
}
ask 7000..13500 77 78
ask 7000..13500 78 77
ask 7000..26000 77 79
ask 7000..24000 77 79
ask 7000..26000 77 79 80
ask 50%..100% 77 78
