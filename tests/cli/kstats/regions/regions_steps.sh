# Steps 7 and 8 of a profiler on thread 10, 1000 ns each; two agents, taken together.
#
#   step 7  1000..2000   kernel 1100..1400 (agent 4), collective 1300..1600 (agent 5), copy 1500..1700
#                        compute 300, +comm 200, +copy 100, idle 400 = 1000; 2 kernels
#                        hipStreamSynchronize 1900..2100 on thread 11, hipDeviceSynchronize 1950..2050 on 10
#   step 8  2000..3000   kernel 2900..3300: compute 100, idle 900; what runs behind it belongs to no step
#                        waits 2000..2100 in all
# The longer range around them, "ProfilerStep" without a number and the marks are no steps.
cat >m_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","epoch 1",1,10,101,500,3600
"MARKER_CORE_RANGE_API","ProfilerStep#8",1,10,102,2000,3000
"MARKER_CORE_RANGE_API","ProfilerStep#7",1,10,103,1000,2000
"MARKER_CORE_RANGE_API","mark step",1,10,104,1500,1500
"MARKER_CORE_RANGE_API","mark step",1,10,105,2500,2500
EOF
cat >m_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipStreamSynchronize",1,11,1,1900,2100
"HIP_RUNTIME_API","hipDeviceSynchronize",1,10,2,1950,2050
EOF
cat >m_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,"k",1,1100,1400
"KERNEL_DISPATCH","Agent 5",1,0,10,2,2,"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",2,1300,1600
"KERNEL_DISPATCH","Agent 4",1,0,10,4,1,"k",4,2900,3300
EOF
cat >m_memory_copy_trace.csv <<'EOF'
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_DEVICE_TO_HOST",0,"Agent 4","Agent 0",3,1500,1700
EOF
kstats regions --steps -f csv . && kstats regions --steps --skip 1 . && kstats regions --steps -q -f csv -w 2000.. .
