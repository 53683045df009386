# Where the input leaves a value open, a rule is judged at both ends: it holds or fails if it does at both, else it is absent.
# Ten kernels of 90 ns every 100 ns, the window 990 ns; of the calls only the first two are there (20 %).  The gap before the
# second has its cause, 10 ns of device: 1.0101 %.  The other eight, 80 ns or 8.0808 %, may be of any cause: launch is 0 to
# 8.0808 %, device 1.0101 to 9.0909 %; what is unknown is known exactly.
kernels() { # FIRST NAME of each
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		name=$2
		[ $i -lt "$1" ] || name=gemm_kernel
		echo "\"KERNEL_DISPATCH\",4,1,\"$name\",$((i + 1)),1${i}00,1${i}90"
	done
}
calls() { # HOW MANY
	echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
	for i in 0 1 2 3 4 5 6 7 8 9; do
		[ $i -lt "$1" ] && echo "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",77,7,$((i + 1)),$((910 + i)),$((911 + i))"
	done
}
mkdir few all other
kernels 0 >few/k_kernel_trace.csv
calls 2 >few/k_hip_api_trace.csv
kernels 0 >all/k_kernel_trace.csv
calls 10 >all/k_hip_api_trace.csv
check() {
	tracecheck -q -f csv --columns verdict,value,rule,rows,failed,absent,reason "$@"
	echo $?
}
check few --rule 'gaps.launch_pct < 1' --rule 'gaps.launch_pct < 8.0808' --rule 'gaps.launch_pct <= 8.0808' --rule 'gaps.launch_pct < 10' \
	--rule 'gaps.launch_pct >= 0' --rule 'gaps.launch_pct > 0' --rule 'gaps.launch_pct > 9' --rule 'gaps.launch_pct == 0' \
	--rule 'gaps.launch_pct == 5' --rule 'gaps.launch_pct != 5' --rule 'gaps.launch_pct == 9' --rule 'gaps.launch_pct != 9' \
	--rule 'gaps.device_pct < 1' --rule 'gaps.device_pct > 1' --rule 'gaps.unknown_pct < 8.1' --rule 'gaps.unknown_pct < 8'
# The same in the tables of gaps, from files of totals too, and where there is no call at all.
check few --rule 'gaps.launch_ns < 5' --rule 'gaps.launch_us < 0.081' --rule 'gaps.device_ns > 5' --rule 'gaps(--list).launch_ns < 5' \
	--rule 'gaps(--list).launch_ns < 11'
tracemerge -q --stats-only few >few.db
check few.db --rule 'gaps.launch_pct < 1' --rule 'gaps.launch_ns < 5' --rule 'gaps.launch_ns < 90'
check few/k_kernel_trace.csv --rule 'gaps.launch_ns < 5' --rule 'gaps.launch_ns < 91' --rule 'gaps.launch_pct < 1'
# All calls are there: nothing is open.
check all --rule 'gaps.launch_pct < 1' --rule 'gaps.launch_ns < 5' --rule 'gaps.device_pct == 9.0909'
# A baseline may be open, and both may be: device of all is 9.0909 %, of few 1.0101 to 9.0909 %.
check all --baseline few --allow self --rule 'gaps.device_pct <= baseline' --rule 'gaps.device_pct >= baseline' \
	--rule 'gaps.device_pct <= 20 - baseline' --rule 'gaps.device_pct <= 11 - baseline'
check few --baseline few --allow self --rule 'gaps.device_pct <= baseline' --rule 'gaps.device_pct <= baseline + 8.0808'
# Kernels without a class may be matrix products or communication: of ten four, so gemm is 60 to 100 %, comm 0 to 40 %.
kernels 4 nameless >other/k_kernel_trace.csv
check other --rule 'gemm.kernel_pct < 70' --rule 'gemm.kernel_pct >= 60' --rule 'gemm.kernel_pct < 60' --rule 'comm.kernel_pct < 5' \
	--rule 'comm.kernel_pct < 50' --rule 'unclassified.kernel_pct < 50' --rule 'gemm[gemm].kernel_pct < 70' --rule 'gemm.compute_pct < 70'
# For people, and in messages.
tracecheck -q few --rule 'gaps.launch_pct < 1' --report junit=out
echo $?
grep message out
