# No ProfilerStep.  "train_step 4, rank 0" and so on come back but for their numbers, of which the first goes
# up: steps 4 and 5.  "epoch" lasts longer but does not say step; "optimizer.step" comes back as well, but
# fills little of the time; on thread 11 there are shorter ones of the same text.
cat >m_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","epoch 1",1,10,101,500,3100
"MARKER_CORE_RANGE_API","epoch 2",1,10,102,3100,3300
"MARKER_CORE_RANGE_API","train_step 4, rank 0",1,10,103,1000,2000
"MARKER_CORE_RANGE_API","train_step 5, rank 0",1,10,104,2100,3000
"MARKER_CORE_RANGE_API","optimizer.step",1,10,105,1900,2000
"MARKER_CORE_RANGE_API","optimizer.step",1,10,106,2900,3000
"MARKER_CORE_RANGE_API","train_step 4, rank 0",1,11,107,1000,1500
"MARKER_CORE_RANGE_API","train_step 5, rank 0",1,11,108,1500,2000
EOF
kstats regions --steps -f csv m_marker_api_trace.csv
