# Two kernels of PyTorch that differ after 70 bytes: without the return type, and with the middle left out, the
# lines of the account still tell them apart.  By hand, of calls of 100 us: add takes 20 us more, mul 10 us less,
# so that kernels take 10 us more.
kernel='void at::native::vectorized_elementwise_kernel<4, at::native::binary_internal::'
trace() { # FILE ADD MUL
	printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n'
	printf 'KERNEL_DISPATCH,Agent 1,"%sAddFunctor<float> >(int)",1,%s,%s\n' "$kernel" 1000 $((1000 + $1))
	printf 'KERNEL_DISPATCH,Agent 1,"%sMulFunctor<float> >(int)",2,%s,%s\n' "$kernel" 900000 $((900000 + $2))
}
trace 100000 100000 >a_kernel_trace.csv
trace 120000 90000 >b_kernel_trace.csv
tracediff -q --on kernel a_kernel_trace.csv b_kernel_trace.csv | sed '/^$/,$d'
