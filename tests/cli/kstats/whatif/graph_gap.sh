# A graph of two kernels, launched twice; the host waits in between.  Nothing is ever launched while the stream is
# at work, but kernels of one graph are there together: b begins 2.5 us behind a, both times, as nothing of another
# stream could have held it.  So without the first wait the second graph, launched at 10 us, begins 2.5 us behind the
# first, which ends at 54.5: a from 57 to 77, b from 79.5 to 99.5, and the last wait returns 5.5 us later, at 105.
mkdir one
cat >one/a_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"a",1,12000,32000
"KERNEL_DISPATCH","Agent 4",1,1,7,2,1,"b",1,34500,54500
"KERNEL_DISPATCH","Agent 4",1,1,7,3,1,"a",3,72000,92000
"KERNEL_DISPATCH","Agent 4",1,1,7,4,1,"b",3,94500,114500
END
cat >one/a_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipGraphLaunch",1,7,1,0,10000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,2,10000,60000
"HIP_RUNTIME_API","hipGraphLaunch",1,7,3,60000,70000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,4,70000,120000
END
kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --no-sync one
