# Ranges that overlap without nesting, on one thread.
#   alpha [100,150) and alpha [120,180): the call [130,134) of kernel 1 [200,240) begins in both, that
#     of kernel 2 [300,307), [160,163), in the second alone.  The region has each kernel once: 47 ns in
#     all; of the two ranges the first launched 40, the second 47, so the median is 40.
#   A [400,500) and B [450,550) both hold X [460,490), from which kernel 3 [600,610) is launched: the
#     path of X is A/B/X, with two regions around it, and kernel 3 counts for A, B and X, itself for X.
#     So has kstats ops.  B 7 and X 8 stand for numbers, too.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,7,"k",1,200,240
"KERNEL_DISPATCH",4,1,7,"k",2,300,307
"KERNEL_DISPATCH",4,1,7,"k",3,600,610
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,130,134
"HIP_RUNTIME_API","hipLaunchKernel",77,7,2,160,163
"HIP_RUNTIME_API","hipLaunchKernel",77,7,3,470,472
EOF
cat >k_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","alpha",77,7,10,100,150
"MARKER_CORE_RANGE_API","alpha",77,7,11,120,180
"MARKER_CORE_RANGE_API","A",77,7,12,400,500
"MARKER_CORE_RANGE_API","B 7",77,7,13,450,550
"MARKER_CORE_RANGE_API","X 8",77,7,14,460,490
EOF
kstats regions -q -f csv --columns region,depth,count,gpu_total_ns,self_gpu_ns,kernels,gpu_p50_ns,gpu_p99_ns,numbers .
kstats regions -q -f csv --columns region,start_ns,gpu_total_ns,kernels,numbers --list .
kstats ops -q --paths -f csv --columns path,self_ns .
kstats top -q -f csv --columns name,calls --region '/A/B 7/X 8' .
kstats top -q -f csv --columns name,calls --region 'B */X *' .
