# Agent 4, times from 1000; thread 7 of process 77 launches.
#
#   1000      1020      1040      1060      1080      1100      1120
#   A [=================)                                          [1000,1040)  corr 1
#   B   [===)                                                      [1005,1015)  corr 2: under A, no gap after it
#   copy                          [====)                           [1070,1080)  corr 3
#   C                                        [===)                 [1090,1100)  corr 4: no such call
#   D                                                       [===)  [1120,1130)  corr 5
#
# Gap 1, [1040,1070) before the copy, whose call is [1055,1062): the wait [1030,1050) ended before it:
#   sync 10, host 5 (1050-1055), launch 7, device 8.  The wait covers 10 of it, the call 7.
# Gap 2, [1080,1090) before C: unknown 10.
# Gap 3, [1100,1120) before D, whose call is [1085,1095), over before the gap: device 20.  The wait
#   [1060,1070) is no part of it; hipMalloc [1098,1113) is what the thread did, 13 of the 20.
# Idle 60 of 130 = 46.1538 %; lengths 10 20 30: p50 20, p90 and p99 30; 4 of 5 calls found.
# The agent's queue 1 has A and C and D, so gaps [1040,1090) and [1100,1120).
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,0,"A<int, 2>",1,1000,1040
"KERNEL_DISPATCH",4,2,0,"B",2,1005,1015
"KERNEL_DISPATCH",4,1,0,"C",4,1090,1100
"KERNEL_DISPATCH",4,1,0,"D",5,1120,1130
EOF
cat >k_memory_copy_trace.csv <<'EOF'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","HOST_TO_DEVICE",0,4,3,1070,1080
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,990,995
"HIP_RUNTIME_API","hipLaunchKernel",77,7,2,996,999
"HIP_RUNTIME_API","hipDeviceSynchronize",77,7,8,1030,1050
"HIP_RUNTIME_API","hipMemcpyAsync",77,7,3,1055,1062
"HIP_RUNTIME_API","hipStreamSynchronize",77,7,9,1065,1070
"HIP_RUNTIME_API","hipLaunchKernel",77,7,5,1085,1095
"HIP_RUNTIME_API","hipMalloc",77,7,10,1098,1113
"HIP_RUNTIME_API","hipDeviceSynchronize",77,8,11,1000,1130
EOF
kstats gaps -f csv ./*.csv
kstats gaps ./*.csv
kstats gaps -f csv --list ./*.csv
kstats gaps --list -n 2 --name base ./*.csv
kstats gaps -f csv --hist ./*.csv
kstats gaps -q -f csv --per queue ./*.csv
# Both edges of a window are edges of gaps; behind the last operation the cause is not known.
kstats gaps -q -f csv --list -w 1045..1115 ./*.csv
