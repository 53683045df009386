# c waits for b, the one before it in its stream, which ends at 110 us, and for a of another stream, of which an
# event tells; c begins at 111.5.
# When a ends at 109, the stream held c: it takes 1.5 us from one to the next.  c x 2 ends at 211.5, and d, which
# was launched at 170 and began at 175, begins 1.5 us behind it, at 213, and takes 10: 223.
# When a ends at 111, that is too late for an event to have held c (3 us, assumed): a was over when the stream
# got there.  a x 1.1 takes 110 instead of 100: it ends at 121, c begins 3 us later, at 124, and takes 50: 174.
# b x 1.2 ends at 130, c begins 1.5 us later, whatever a does: 181.5.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
k='"KERNEL_DISPATCH","Agent 4",1'
trace() { # name, end of a
	mkdir "$1"
	{
		echo "$head"
		echo "$k,2,7,1,1,\"b\",1,10000,110000"
		echo "$k,1,7,2,1,\"a\",2,11000,$2"
		echo "$k,2,7,3,1,\"c\",5,111500,161500"
	} >"$1/a_kernel_trace.csv"
	{
		echo '"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
		echo '"HIP_RUNTIME_API","hipLaunchKernel",1,7,1,0,3000'
		echo '"HIP_RUNTIME_API","hipLaunchKernel",1,7,2,5000,8000'
		echo '"HIP_RUNTIME_API","hipEventRecord",1,7,3,8000,9000'
		echo '"HIP_RUNTIME_API","hipStreamWaitEvent",1,7,4,9000,10000'
		echo '"HIP_RUNTIME_API","hipLaunchKernel",1,7,5,10000,13000'
	} >"$1/a_hip_api_trace.csv"
}
ask() {
	kstats whatif -q -f csv --columns scenario,window_ns,predicted_ns --scale "$1" "$2"
}
trace early 109000
echo "$k,2,7,4,1,\"d\",6,175000,185000" >>early/a_kernel_trace.csv
echo '"HIP_RUNTIME_API","hipLaunchKernel",1,7,6,170000,173000' >>early/a_hip_api_trace.csv
ask /c/=2 early || exit
trace late 111000
ask /a/=1.1 late || exit
ask /b/=1.2 late
