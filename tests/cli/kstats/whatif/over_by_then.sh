# A call waits from 50 to 113 us for a, which ends at 105: it returns 8 us later.  The last one has nothing to wait
# for and takes 2.  With 0.44 of a, which then ends at 49, the first has nothing to wait for either and ends at 52,
# and all is over at 61.  With half of it, to 55, it returns at 63, and all is over at 72.
mkdir one
cat >one/a_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,1,7,1,1,"a",1,1005000,1105000
END
cat >one/a_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",1,7,1,1000000,1003000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,2,1050000,1113000
"HIP_RUNTIME_API","hipDeviceSynchronize",1,7,3,1120000,1122000
END
ask() {
	kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns,low_ns,high_ns --scale "$1" one
}
ask /a/=0.44 || exit
ask /a/=0.5
