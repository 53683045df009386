# Half of the host's time is 5 ms of 10 before the GPU has work at all.  Its window is 30 us, 10.1 of it idle while
# the host computes for 21 us.  With half of that the second kernel starts as soon as the first lets it, 1 us after
# that: 9.1 us are got back, whatever the replay saves of the program.
head='"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
cat >run_hip_api_trace.csv <<END
$head
"HIP_RUNTIME_API_EXT","hipGetDevice",1,1,1,0,1000
"HIP_RUNTIME_API_EXT","hipLaunchKernel",1,1,2,10000000,10001000
"HIP_RUNTIME_API_EXT","hipLaunchKernel",1,1,3,10022000,10022100
END
cat >run_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,1,12,"a()",2,10002000,10012000
"KERNEL_DISPATCH","Agent 4",1,1,2,12,"a()",3,10022100,10032000
END
kstats findings -q -f csv --columns id,saves_ns,title . || exit
kstats whatif -q -f csv --columns scenario,window_ns,saved_ns --host 0.5 .
