# Two ranks meet in a collective.  a takes 100 us on rank 0 and 200 us on rank 1; the collective begins 1 us
# later, at 101 and 201, and ends at 300 on both: its transfer takes 99 us from when the last has come.
# Balanced, a takes 150 on both, the last comes at 151 and all ends at 250.  Half of the transfer: 49.5, so
# it ends at 250.5.  Without calls the kernels might as well have been launched when they began: 300, 300.
# Rank 2 has another clock: its collective never overlaps the others, so ranks are replayed apart.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
rank() { # number, shift, length of a
	{
		echo "$head"
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,1,1,\"a\",1,$((1000000 + $2)),$((1000000 + $2 + $3))"
		echo "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,10,2,2,\"ncclDevKernel_AllReduce_Sum_f32\",2,$((1001000 + $2 + $3)),$((1300000 + $2))"
	} >"$1"_kernel_trace.csv
}
rank 0 0 100000
rank 1 0 200000
rank 2 90000000 150000
kstats whatif -q -f csv --balance 0=0_kernel_trace.csv 1=1_kernel_trace.csv || exit
kstats whatif -q -f csv --comm 0.5 --ranks 0=0_kernel_trace.csv 1=1_kernel_trace.csv || exit
kstats path -q -f csv --list 0=0_kernel_trace.csv 1=1_kernel_trace.csv || exit
kstats whatif -f csv --scale other=1 0=0_kernel_trace.csv 2=2_kernel_trace.csv
kstats whatif -q -f csv --balance 0=0_kernel_trace.csv 2=2_kernel_trace.csv
