# Processes 7 and 8 share agent 4.  A copy of 7 and a kernel of 8 end the gap 1100..1500 at once: the kernel counts, for
# kinds come before processes.  Its call is of process 8, from 1400 on, where 8 waited before: sync 1100..1300, host
# 1300..1400, launch 1400..1450, device 1450..1500.  The copy's call would have made all of it host.  Of the kernels of 8 and
# 7 that end the gap 1700..1800, one as long as the other, that of the lower correlation id counts: the one of 8.
cat >p_kernel_trace.csv <<'END'
"Process_Id","Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
7,"KERNEL_DISPATCH","Agent 4","first",1,1000,1100
8,"KERNEL_DISPATCH","Agent 4","mine",2,1500,1700
7,"KERNEL_DISPATCH","Agent 4","later",9,1800,1900
8,"KERNEL_DISPATCH","Agent 4","sooner",8,1800,1900
END
cat >p_memory_copy_trace.csv <<'END'
"Process_Id","Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
7,"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE","Agent 0","Agent 4",2,1500,1600
END
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,1,1,900,1000
"HIP_RUNTIME_API","hipMemcpyAsync",7,1,2,1500,1500
"HIP_RUNTIME_API","hipDeviceSynchronize",8,2,3,1000,1300
"HIP_RUNTIME_API","hipLaunchKernel",8,2,2,1400,1450
"HIP_RUNTIME_API","hipLaunchKernel",8,2,8,1750,1800
"HIP_RUNTIME_API","hipLaunchKernel",7,1,9,1790,1800
END
kstats gaps -f csv --list .
kstats gaps -f csv --columns sync_ns,host_ns,launch_ns,device_ns,unknown_ns .
