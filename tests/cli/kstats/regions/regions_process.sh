# Rows that name no process, of a run whose others name one: they are of the same process, so thread 7 is
# one thread, and the call [120,124) of kernel 1 begins in alpha [100,150): 40 ns, and the thread has one
# row. So it has in kstats sync, where it waits 5 + 6 ns.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,7,"k",1,200,240
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,120,124
"HIP_RUNTIME_API","hipFree",77,7,2,210,215
"HIP_RUNTIME_API","hipFree",,7,3,220,226
EOF
cat >k_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","alpha",,7,10,100,150
EOF
kstats regions -f csv --columns tid,region,gpu_total_ns .
kstats sync -q -f csv --columns pid,tid,function,calls,total_ns .
