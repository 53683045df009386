# Three collectives on two ranks whose clocks differ by hours, on rank 1 one more: nothing is said of arrival,
# but durations need no common clock: 40, 50 and 60 on rank 0, 45 each on rank 1, so waits 5, 5 and 15.
head='"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
name='"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"'
cat >a_kernel_trace.csv <<EOF
$head
"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,$name,1,1000,1040
"KERNEL_DISPATCH","Agent 4",1,0,10,2,1,$name,2,2000,2050
"KERNEL_DISPATCH","Agent 4",1,0,10,3,1,$name,3,3000,3060
EOF
cat >b_kernel_trace.csv <<EOF
$head
"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,$name,1,7200000001000,7200000001045
"KERNEL_DISPATCH","Agent 4",1,0,10,2,1,$name,2,7200000002000,7200000002045
"KERNEL_DISPATCH","Agent 4",1,0,10,3,1,$name,3,7200000003000,7200000003045
"KERNEL_DISPATCH","Agent 4",1,0,10,4,1,"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",4,7200000004000,7200000004045
EOF
kstats ranks --collectives -f csv 0=a_kernel_trace.csv 1=b_kernel_trace.csv
