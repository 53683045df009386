# One process, a thread and a GPU each for two: the matrix product takes 100 us on the first and 200 on the second, then the collective,
# whose transfer begins when the second has come, at 210 us, and takes 50; the calls that wait return 10 later, at 270.  Half of the product:
# 100 + 50 + 10 us after 10, 170; a product of no time: the collective's launch begins at 6 and takes 10, so 76; half of the transfer: 245.
# The path is that of the second GPU, and findings are the same from totals.
launched() { # AGENT THREAD ID LENGTH
	echo "\"KERNEL_DISPATCH\",\"Agent $1\",$1,$1,$2,$3,1,\"Cijk_a\",$3,1010000,$((1010000 + $4))" >>kernels
	echo "\"KERNEL_DISPATCH\",\"Agent $1\",$1,$1,$2,$(($3 + 1)),1,\"ncclDevKernel_Generic\",$(($3 + 1)),$((1010000 + $4)),1260000" >>kernels
	for c in "hipLaunchKernel $3 1000000 1005000" "hipLaunchKernel $(($3 + 1)) 1006000 1011000" "hipDeviceSynchronize $(($3 + 2)) 1012000 1270000"; do
		# shellcheck disable=SC2086
		set -- "$1" "$2" "$3" "$4" $c
		echo "\"HIP_RUNTIME_API\",\"$5\",1,$2,$6,$7,$8" >>calls
	done
}
launched 4 7 1 100000
launched 5 8 11 200000
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	cat kernels
} >t_kernel_trace.csv
{
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	cat calls
} >t_hip_api_trace.csv
set -- 0=t_kernel_trace.csv 0=t_hip_api_trace.csv
for what in '--scale gemm=0.5' '--scale gemm=0' '--comm 0.5'; do
	# shellcheck disable=SC2086
	kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns $what "$@" || exit
done
kstats path -q -f csv --list --columns start_ns,end_ns,resource,kind,name "$@" || exit
tracemerge -q --stats-only -o t.db "$@"
kstats findings -q -f csv "$@" | sed 's/,kstats.*//' >want
kstats findings -q -f csv t.db | sed 's/,kstats.*//' >got
cmp want got
