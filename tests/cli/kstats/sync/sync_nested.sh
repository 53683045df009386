# Calls inside calls of the same thread: 1000..1800 holds 1200..1400, 2000..2100 is apart: a union of 900 of
# 1100, never more than the whole, though the durations add up to 1100.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipDeviceSynchronize",7,1,1,1000,1800
"HIP_RUNTIME_API","hipDeviceSynchronize",7,1,2,1200,1400
"HIP_RUNTIME_API","hipDeviceSynchronize",7,1,3,2000,2100
END
kstats sync -f csv p_hip_api_trace.csv
