# Launch 1 [100,110): kernel [200,210).  Launch 2 [120,130): kernel [210,220).  Graph launch 3 [140,145):
# kernels [150,155) and [300,310), so A is 3 and 2.  A launch without correlation id has no kernel.
# In [100,205) all four start: the kernels of 1 and the first of 3, A (10 + 3)/2; launch 2 has its kernel, though
# behind the window.  From 205 on: that of 2 and the second of 3, A (10 + 2)/2.  Both: 13 + 12 = 10 + 10 + 5.
cat >k_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"k",1,200,210
"KERNEL_DISPATCH",4,1,"k",2,210,220
"KERNEL_DISPATCH",4,1,"k",3,150,155
"KERNEL_DISPATCH",4,1,"k",3,300,310
END
cat >k_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,100,110
"HIP_RUNTIME_API","hipLaunchKernel",77,7,2,120,130
"HIP_RUNTIME_API","hipGraphLaunch",77,7,3,140,145
"HIP_RUNTIME_API","hipLaunchKernel",77,7,0,146,148
END
kstats launch -f csv --columns name,calls,qcalls,api_avg_ns -w 100..205 k_*.csv
kstats launch -f csv --columns name,calls,qcalls,api_avg_ns -w 205.. k_*.csv
