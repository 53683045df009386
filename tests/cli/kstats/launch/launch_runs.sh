# Processes that are not known.  Runs of rank 0 whose names are no numbers:
#   x has a kernel a [100,110) and no call, y a kernel b [105,125) and the call [60,63) of process 5,
#   with the same id 1.  All calls are of one process, so a may be of it, too: both have that call,
#   2 ns of 3 for a, which starts first, and 1 for b; T 50 and 65.
# With z, which has a call [80,90) of process 6 with id 1 and no kernel, there are two processes: that of
#   a is not known, so it has no call, and b has that of its own run, A 3.
# One run that names two processes, 5 and 6: its kernels may be of both, so b has the last call before it.
# With RANK=FILE the files of a rank are pieces of one process: of x and y that is 5.  In pieces of a
#   kernel and a call each whose process no row names, ids are those of one process as well.
head='"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
api='"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
mkdir rank0 both pieces
printf '%s\n' "$head" '"KERNEL_DISPATCH","Agent 4",1,"a",1,100,110' >rank0/x_kernel_trace.csv
printf '%s\n' "$head" '"KERNEL_DISPATCH","Agent 4",1,"b",1,105,125' >rank0/y_kernel_trace.csv
printf '%s\n' "$api" '"HIP_RUNTIME_API","hipLaunchKernel",5,5,1,60,63' >rank0/y_hip_api_trace.csv
launch() { kstats launch -q -f csv --columns name,calls,api_avg_ns,total_avg_ns "$@"; }
launch rank0
launch 0=rank0
cp rank0/y_* both
printf '%s\n' '"HIP_RUNTIME_API","hipLaunchKernel",6,6,1,80,90' >>both/y_hip_api_trace.csv
launch both
printf '%s\n' "$api" '"HIP_RUNTIME_API","hipLaunchKernel",6,6,1,80,90' >rank0/z_hip_api_trace.csv
launch rank0
printf '%s\n' "$head" '"KERNEL_DISPATCH","Agent 4",1,"c",2,200,210' >pieces/p_kernel_trace.csv
printf '%s\n' '"Domain","Function","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"' \
	'"HIP_RUNTIME_API","hipLaunchKernel",5,2,160,163' >pieces/q_hip_api_trace.csv
launch 0=pieces
