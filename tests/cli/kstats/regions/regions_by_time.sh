# No API calls: kernel k (1600..1700) lies in outer, and in inner, which began last; call and thread are
# unknown.  The note says how it was placed and what to trace.
cat >m_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","outer",1,10,104,1000,9000
"MARKER_CORE_RANGE_API","inner",1,11,105,1500,1650
EOF
cat >m_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,0,,1,1,"k",1,1600,1700
"KERNEL_DISPATCH","Agent 4",1,0,,2,1,"k",2,9500,9600
EOF
kstats regions -f csv m_marker_api_trace.csv m_kernel_trace.csv
