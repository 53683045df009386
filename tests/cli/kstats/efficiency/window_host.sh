# One GPU works in 100..140 and 160..200.  The host thread calls in 0..5, 150..160 and 300..305: from 100 to 200, the
# window of its GPU, it is between its first and its last call for all 100, and outside calls for 90.  The same
# window chosen with -w says the same, though only one call is in it.  In 120..150, in which it calls nothing, it
# is there for all 30: 20 of them the GPU computes.  In 302..310 no GPU works.  A second file has its only call
# before the GPU begins: such a thread is absent all the time.  Next to one that is there for all 100, it makes
# host_presence 1/2, as it does with a call that ends 1 ns after the GPU began, but for that 1 ns: (100 + 1) / 200.
head='"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"'
mkdir a b
{
	echo '"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"KERNEL_DISPATCH",4,1,"k",1,100,140'
	echo '"KERNEL_DISPATCH",4,1,"k",2,160,200'
} >a/p_kernel_trace.csv
cp a/p_kernel_trace.csv b
{
	echo "$head"
	echo '"HIP_RUNTIME_API","hipLaunchKernel",100,1,1,0,5'
	echo '"HIP_RUNTIME_API","hipLaunchKernel",100,1,2,150,160'
	echo '"HIP_RUNTIME_API","hipFree",100,1,3,300,305'
	echo '"HSA_CORE_API","hsa_queue_create",100,2,4,0,400'
} >a/p_hip_api_trace.csv
{
	echo "$head"
	echo '"HIP_RUNTIME_API","hipLaunchKernel",100,1,1,0,5'
} >b/p_hip_api_trace.csv
mkdir c d
cp a/p_kernel_trace.csv c
cp a/p_kernel_trace.csv d
{ cat a/p_hip_api_trace.csv && echo '"HIP_RUNTIME_API","hipInit",100,3,5,0,5'; } >c/p_hip_api_trace.csv
{ cat a/p_hip_api_trace.csv && echo '"HIP_RUNTIME_API","hipInit",100,3,5,0,101'; } >d/p_hip_api_trace.csv
for i in c d; do
	kstats efficiency -q -f csv --columns metric,num_ns,den_ns $i | grep host
done
kstats efficiency -q -f csv --columns metric,value,num_ns,den_ns a >whole && cat whole &&
	kstats efficiency -q -f csv --columns metric,value,num_ns,den_ns -w 100..200 a | cmp - whole &&
	kstats efficiency -q -f csv --columns metric,value,num_ns,den_ns -w 120..150 a &&
	kstats efficiency -f csv --columns metric,value,num_ns,den_ns -w 120..150 b && kstats efficiency -f csv -w 302..310 a
