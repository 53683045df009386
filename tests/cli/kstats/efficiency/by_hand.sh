# Two ranks, times in ns; see ranks/by_hand.
#
#   rank 0, agent 4   k 1000..1400, collective 1600..2000     u 400, a 800
#           agent 5   k 1200..1500                            u 300, a 300
#   rank 1, agent 4   k 1000..1700, collective 1800..1990     u 700, a 890
#
# Nothing says that the clocks are one: T is the longest window of a rank, 1000.  G = 3, sum u = 1400.
#   parallel 1400 / 3000 = 0.466667, least u: rank 0 agent 5
#   load balance 1400 / (3 * 700) = 0.666667, most u: rank 1 agent 4
#   communication 700 / 890 = 0.786517, most a - u: rank 0 agent 4 (400)
#   orchestration 890 / 1000, least a: rank 0 agent 5
# Host threads of rank 0, in the window of its GPUs: 10 calls in 1100..1300 (another inside) and 1350..1400,
# 50 of 300 are outside calls; 11 calls in 1200..1500 and once behind the window, so 500 of 1200..2000 are.
#   hybrid 550 / (2 * 1000) = 0.275, offload 550 / 1100, presence 1100 / 2000; only rank 0 has calls
sh "$ROOT/tests/cli/two_ranks"
cat >rank0/m_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipStreamSynchronize",77,10,101,1100,1300
"HIP_RUNTIME_API","hipMemcpy",77,10,102,1110,1150
"HIP_RUNTIME_API","hipLaunchKernel",77,10,103,1350,1400
"HIP_RUNTIME_API","hipDeviceSynchronize",77,11,104,1200,1500
"HIP_RUNTIME_API","hipFree",77,11,105,3000,3100
EOF
kstats efficiency -f csv . && kstats efficiency -q . &&
	tracemerge -q -o run.db . && kstats efficiency -q -f csv run.db >db && kstats efficiency -q -f csv . | cmp - db &&
	kstats efficiency -q -f csv -w 1000..1500 .
