# A rank whose threads never wait has a row that says so; a rank without API calls is named, and with
# --during a rank without GPU work.
cat >a_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,1,1,1000,1100
END
cat >b_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,1350,1550
END
kstats sync -f csv 0=a_hip_api_trace.csv 1=b_kernel_trace.csv
kstats sync -f csv --during idle 0=a_hip_api_trace.csv 1=b_kernel_trace.csv
