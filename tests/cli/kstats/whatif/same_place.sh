# Three times a and b are launched, 4, 10 and 20 us apart, and awaited.  Each takes 30 us alone; side by side two run
# at 2 / 3, so a and b take 43, 40 and 35.  That it is 2 / 3 is told as a takes 30 alone each time then, and so does
# b: they are the same though there is hardly a kernel around them, as all that is between two waits comes again.
# With half of a, the first has done 4 when b begins and 11 after 16.5 us more; b has 19 left, and ends 39.5 us
# after a began, 7.5 earlier.  In the second a has 5 left, which takes 7.5; b has 25 left, and ends 7.5 earlier.  In
# the third a ends before b begins, which takes 30, 5 less: 171 us of 191 are left.
mkdir one
cat >one/a_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"a",1,5000,48000
"KERNEL_DISPATCH","Agent 4",2,2,7,2,1,"b",2,9000,52000
"KERNEL_DISPATCH","Agent 4",1,1,7,3,1,"a",4,65000,105000
"KERNEL_DISPATCH","Agent 4",2,2,7,4,1,"b",5,75000,115000
"KERNEL_DISPATCH","Agent 4",1,1,7,5,1,"a",7,128000,163000
"KERNEL_DISPATCH","Agent 4",2,2,7,6,1,"b",8,148000,183000
END
cat >one/a_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",1,7,1,0,3000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,2,4000,7000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,3,7000,60000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,4,60000,63000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,5,70000,73000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,6,73000,123000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,7,123000,126000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,8,143000,146000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,9,146000,191000
END
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale /a/=0.5 one
