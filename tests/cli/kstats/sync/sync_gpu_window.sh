# A process that loads its model for long and works briefly: API calls from 0 to 1000000, GPU work from 990000 to
# 1000000.  While loading it is blocked in hipMemcpy for 2000; inside the GPU window in hipDeviceSynchronize
# 990500..998000, during which the GPU works 990500..994000 and 996000..998000: 7500 of 10000 is 75 %, idle 2000,
# 20 %.  Of the host window both make 0.95 %.  -w 0%..100% is the GPU window: the same shares; its host window is the
# rest of the calls, 990000..1000000.
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",7,1,1,1000000000,1000000010
"HIP_RUNTIME_API","hipMemcpy",7,1,2,1000500000,1000502000
"HIP_RUNTIME_API","hipLaunchKernel",7,1,3,1000989000,1000990400
"HIP_RUNTIME_API","hipDeviceSynchronize",7,1,4,1000990500,1000998000
"HIP_RUNTIME_API","hipLaunchKernel",7,1,5,1000998100,1001000000
END
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","k",3,1000990000,1000994000
"KERNEL_DISPATCH","Agent 4","k",3,1000996000,1000998000
"KERNEL_DISPATCH","Agent 4","k",5,1000999000,1001000000
END
kstats sync -f csv .
kstats sync -f csv -w 0%..100% .
kstats summary -q -f csv . | grep ^sync
kstats summary -q -f csv -w 0%..100% . | grep ^sync
