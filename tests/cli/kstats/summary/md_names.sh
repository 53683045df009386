# In the comment for a merge request long names are shortened as on the screen: two kernels that differ after 300
# letters stay different, and the tile of a matrix product stays.  They were cut at 200 bytes, without a mark.
x=$(head -c 300 /dev/zero | tr '\0' x)
o=$(printf '_OPT%03d' $(seq 60))
row() { # NAME START
	echo "KERNEL_DISPATCH,Agent 4,1,0,7,$1,1,\"$2\",$1,${1}000,${1}900"
}
{
	echo Kind,Agent_Id,Queue_Id,Stream_Id,Thread_Id,Dispatch_Id,Kernel_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	row 1 "k_${x}_a"
	row 2 "k_${x}_b"
	row 3 "Cijk_Ailk_Bljk${o}_MT64x128x32${o}_WG64_4_1"
} >k_kernel_trace.csv
kstats -q -f md k_kernel_trace.csv | sed -n 's/^| 33.*| //p'
