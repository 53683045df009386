# A blocking copy is the only call that waits: 250 of the 1000 from first to last call.  Without GPU work there is
# no GPU window.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,1,1,1000,1100
"HIP_RUNTIME_API","hipMemcpy",7,1,2,1500,1750
"HIP_RUNTIME_API","hipLaunchKernel",7,1,3,1900,2000
END
kstats sync -f csv p_hip_api_trace.csv
