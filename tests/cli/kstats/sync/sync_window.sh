# From 1300 to 1800: thread 1 is in hipMemcpy 100 and in hipDeviceSynchronize 300, thread 2 in
# hipStreamSynchronize 300; together 1300..1800 all the time.  hipMemcpy starts before: it is not counted,
# the others are, with their whole durations.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",7,1,1,1000,1100
"HIP_RUNTIME_API","hipMemcpy",7,1,2,1200,1400
"HIP_RUNTIME_API","hipDeviceSynchronize",7,1,3,1500,1900
"HIP_RUNTIME_API","hipStreamSynchronize",7,2,4,1300,1600
"HIP_RUNTIME_API","hipMemcpyAsync",7,2,5,1900,2000
END
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,1350,1550
END
cat >p_memory_copy_trace.csv <<'END'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",2,1800,1850
END
kstats sync -f csv -w 1300..1800 .
