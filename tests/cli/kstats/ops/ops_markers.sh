# Without a framework: ranges of roctx around the launches.  Kernel 1 is launched in step 1/copy, kernel 2 in step 2, kernel 3
# outside, kernel 4 by nobody known.
cat >k_kernel_trace.csv <<END
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,"a",1,1000,1010
"KERNEL_DISPATCH","Agent 4",1,"b",2,2000,2020
"KERNEL_DISPATCH","Agent 4",1,"a",3,3000,3040
"KERNEL_DISPATCH","Agent 4",1,"a",9,4000,4080
END
cat >k_hip_api_trace.csv <<END
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,7,1,120,130
"HIP_RUNTIME_API","hipLaunchKernel",7,7,2,220,230
"HIP_RUNTIME_API","hipLaunchKernel",7,8,3,220,230
END
cat >k_marker_api_trace.csv <<END
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_API","step 1",7,7,11,100,190
"MARKER_CORE_API","step 2",7,7,12,200,290
"MARKER_CORE_API","copy",7,7,13,110,140
END
kstats ops -f csv k_kernel_trace.csv k_hip_api_trace.csv k_marker_api_trace.csv
# Nothing but kernels: nothing is attributed.
kstats ops -f csv k_kernel_trace.csv
kstats ops -f csv k_marker_api_trace.csv
