# Windows by marker, on the clock: the second "load" of two is 4000..5000, whichever thread it is on; without an index from
# the first to the last, 2000..5000; a text that ends like an index takes another one.
cat >m_marker_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","load",1,11,103,4000,5000
"MARKER_CORE_RANGE_API","load",1,10,101,2000,3000
"MARKER_CORE_RANGE_API","layer/2",1,10,102,3000,3500
"MARKER_CORE_RANGE_API","mark",1,10,104,2500,2500
EOF
cat >m_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,0,10,1,1,"a",1,2000,2100
"KERNEL_DISPATCH","Agent 4",1,0,10,2,1,"b",2,3000,3400
"KERNEL_DISPATCH","Agent 4",1,0,10,4,1,"c",4,4999,6000
"KERNEL_DISPATCH","Agent 4",1,0,10,5,1,"d",5,5000,5100
EOF
for w in load load/1 load/2 layer/2/1 load/3 mark layer/2 none; do
	kstats top -q -f csv --columns name,calls -w "window:$w" m_kernel_trace.csv m_marker_api_trace.csv
	echo "$w: $?"
done
kstats top -w window:load - <m_kernel_trace.csv
