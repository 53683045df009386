# The host window is 1000..2000.  Thread 1 waits 200 in hipMemcpy and 400 in hipDeviceSynchronize, thread 2
# waits 300; together they cover 1200..1900, 70 % of it.  hipMemcpyAsync returns at once and is no wait.
# The GPU works 1350..1550 and 1800..1850, so its window is 1350..1850, all of it inside waits: 50 of hipMemcpy,
# 350 of hipDeviceSynchronize, 250 of hipStreamSynchronize.  Only hipDeviceSynchronize starts inside.
# Of the 500 the GPU is busy 250: of hipMemcpy's 50, of hipDeviceSynchronize's 50 + 50, of hipStreamSynchronize's
# 200.  The rest is idle; both add up to the whole.
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
kstats sync -f csv .
kstats sync -q -f csv --during busy .
kstats sync -q -f csv --during idle .
