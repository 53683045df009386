# a of one stream takes 90 us, c behind it 40; b of another stream, all of it beside a, 81.  How much kernels side by
# side slow each other nothing tells.  Without a, c begins 5 us after its launch, at 9, and b at 13.
# If they do not slow each other, b ends at 94.  If they take turns, b takes 40.5 alone; c has 36 left at 13, is
# through at 85, and b, which has 4.5 left, at 89.5.  If two run at 2 / 3, b takes 54 alone, c is through at 67, and b,
# which has 18 left, at 85: less than with either end.
mkdir one
cat >one/a_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"a",1,5000,95000
"KERNEL_DISPATCH","Agent 4",1,1,7,2,1,"c",2,96000,136000
"KERNEL_DISPATCH","Agent 4",2,2,7,3,1,"b",3,13000,94000
END
cat >one/a_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",1,7,1,0,3000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,2,4000,7000
"HIP_RUNTIME_API","hipLaunchKernel",1,7,3,8000,11000
END
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale /a/=0 one
