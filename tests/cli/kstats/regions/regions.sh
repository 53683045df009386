# Two threads.  Thread 10, times in ns:
#
#   outer   1000 ....................... 9000        a  9500 ..... 9800
#   load         2000..3000  4000..5000              b       9700 ..... 9900  (overlaps a)
#   mark             2500
#
#   call (corr, at)   1 1500 outer   2 2600 outer, load   3 4100 outer, load   4 9750 a, b   5 9950 none
#   operation         1 kernel 1600..1700     2 kernel 3000..3400     3 copy 3300..3500   (when and how long)
#                     4 kernel 20000..20010   5 kernel 30000..30001
# Thread 11: outer 0..100000, which launches kernel 6, 40000..40005, by call 6 at 50.
#
# thread 10 outer: total 100 + 400 + 200 = 700; union 1600..1700, 3000..3500 = 600; self: operation 1 = 100
#           load:  total 400 + 200 = 600; union 3000..3500 = 500; self 600; 1 kernel, for a copy is none
#           one load launched 400, the other 200: p50 = the smaller (1st of 2), p99 = the larger
#           a, b:  operation 4 both; b began later: its own
# Operation 5 is in none: 1 ns.
cat >m_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","load",1,10,101,2000,3000
"MARKER_CORE_RANGE_API","mark",1,10,102,2500,2500
"MARKER_CORE_RANGE_API","load",1,10,103,4000,5000
"MARKER_CORE_RANGE_API","outer",1,10,104,1000,9000
"MARKER_CORE_RANGE_API","a",1,10,105,9500,9800
"MARKER_CORE_RANGE_API","b",1,10,106,9700,9900
"MARKER_CORE_RANGE_API","outer",1,11,107,0,100000
EOF
cat >m_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",1,10,1,1500,1510
"HIP_RUNTIME_API","hipLaunchKernel",1,10,2,2600,2610
"HIP_RUNTIME_API","hipMemcpyAsync",1,10,3,4100,4110
"HIP_RUNTIME_API","hipLaunchKernel",1,10,4,9750,9760
"HIP_RUNTIME_API","hipLaunchKernel",1,10,5,9950,9960
"HIP_RUNTIME_API","hipLaunchKernel",1,11,6,50,60
EOF
cat >m_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,"k",1,1600,1700
"KERNEL_DISPATCH","Agent 4",1,0,10,2,1,"k",2,3000,3400
"KERNEL_DISPATCH","Agent 4",1,0,10,4,1,"k",4,20000,20010
"KERNEL_DISPATCH","Agent 5",1,0,10,5,1,"k",5,30000,30001
"KERNEL_DISPATCH","Agent 5",1,0,11,6,1,"k",6,40000,40005
EOF
cat >m_memory_copy_trace.csv <<'EOF'
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_DEVICE",0,"Agent 4","Agent 5",3,3300,3500
EOF
kstats regions -f csv --domain all . && kstats regions --domain all . && kstats regions -f csv --domain all -w 3300..20000 .
