# The host asks every 5 us whether the kernel is done, and then works for 20 us: that is a wait.  With kernels of 50 us
# instead of 100 the time is that of the same program with such kernels; with half of the host's work it is 19 times 10 us
# less, as a loop ends when its kernel has.
head_of() { # FOLDER
	mkdir "$1" && cd "$1" || exit
	echo 'Kind,Agent_Id,Queue_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp' >a_kernel_trace.csv
	echo 'Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp' >a_hip_api_trace.csv
}
loops() ( # LENGTH FOLDER
	head_of "$2"
	awk -v length_ns="$1" 'BEGIN {
		for (t = 1000000; i < 20; i++) {
			printf "KERNEL_DISPATCH,Agent 4,1,k,%d,%d,%d\n", ++n, t + 6000, t + 6000 + length_ns >>"a_kernel_trace.csv"
			printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", n, t, t + 5000 >>"a_hip_api_trace.csv"
			for (at = t + 8000; ; at += 5000) {
				printf "HIP_RUNTIME_API,hipEventQuery,1,1,%d,%d,%d\n", ++n, at, at + 1000 >>"a_hip_api_trace.csv"
				if (at >= t + 6000 + length_ns) break
			}
			t = at + 21000
		}
	}'
)
# Kernels of 7 us run all the time, and between its launches the host asks for 30 or more events in a row, each of which
# takes 1.5 us: whatever ends between the last two does so by chance.  Faster kernels save nothing of that.
scans() ( # FOLDER
	head_of "$1"
	awk 'BEGIN {
		for (t = end = 1000000; i < 40; i++) {
			for (k = 0; k < 8; k++) {
				start = t + 6000 > end + 1000 ? t + 6000 : end + 1000
				end = start + 7000
				printf "KERNEL_DISPATCH,Agent 4,1,k,%d,%d,%d\n", ++n, start, end >>"a_kernel_trace.csv"
				printf "HIP_RUNTIME_API,hipLaunchKernel,1,1,%d,%d,%d\n", n, t, t + 2000 >>"a_hip_api_trace.csv"
				t += 2500
			}
			for (k = 30 + i * 7 % 11; k > 0; k--) {
				printf "HIP_RUNTIME_API,hipEventQuery,1,1,%d,%d,%d\n", ++n, t, t + 1000 >>"a_hip_api_trace.csv"
				t += 1500
			}
		}
		printf "HIP_RUNTIME_API,hipDeviceSynchronize,1,1,%d,%d,%d\n", ++n, t, t + 50000 >>"a_hip_api_trace.csv"
	}'
)
columns=scenario,window_ns,predicted_ns,low_ns,high_ns
loops 100000 slow
loops 50000 fast
kstats whatif -q -f csv --columns "$columns" --scale /k/=0.5 slow || exit
kstats whatif -q -f csv --columns window_ns --copy 1 fast || exit
kstats whatif -q -f csv --columns "$columns" --host 0.5 slow || exit
scans scan
kstats whatif -q -f csv --columns "$columns" --scale /k/=0.5 scan || exit
kstats path -q -f csv --columns kind,name,total_ns slow
