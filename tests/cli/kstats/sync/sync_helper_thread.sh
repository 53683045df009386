# Thread 2 does nothing but wait, 1000..2000, while thread 1 keeps the GPU working for 970 of the 1000: that is 100 %
# blocked, but only 30, 3 %, while the GPU had nothing to do.  The target is met.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,1,1,900,990
"HIP_RUNTIME_API","hipEventSynchronize",7,2,2,1000,2000
"HIP_RUNTIME_API","hipLaunchKernel",7,1,3,1200,1300
END
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",1,1000,1500
"KERNEL_DISPATCH","Agent 4","k",3,1530,2000
END
kstats sync -f csv .
kstats summary -q -f csv . | grep ^sync
