# Two ranks.  Times in ns; window from the first start to the last end of GPU work.
#
#   rank 0, agents 4 and 5   k 1000..1400 (4)   k 1200..1500 (5)   collective 1600..2000 (4)
#        window 1000, busy 500 + 400, compute 500, +comm 400, idle 100
#        waits 1100..1300 (thread 10) and 1200..1500 (thread 11): sync 400
#   rank 1, agent 4          k 1000..1700       collective 1800..1990
#        window 990, busy 890, compute 700, +comm 190, idle 100; no API calls: sync absent
#
# Imbalance of busy: 900 and 890, mean 895, 900 / 895 = 1.0056; of sync only rank 0 counts.
# Collective: rank 1 starts 200 later and takes 190, so rank 0 waits 400 - 190 = 210; they overlap 1800..1990,
# so the clocks are taken as one.
sh "$ROOT/tests/cli/two_ranks"
cat >rank0/m_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipStreamSynchronize",77,10,101,1100,1300
"HIP_RUNTIME_API","hipDeviceSynchronize",77,11,102,1200,1500
EOF
kstats ranks -f csv . && kstats ranks . && kstats ranks --imbalance -f csv . && kstats ranks --imbalance -q . &&
	kstats ranks --collectives -f csv . && kstats ranks --collectives -q .
