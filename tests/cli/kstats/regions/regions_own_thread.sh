# Without API calls an operation counts for the regions of the thread that its row names: kernel a of 100 for outer and
# inner of thread 1, b of 200 for other of thread 2, c of thread 3 for none, d, which names no thread, for all that hold
# it; but its time of 400 is that of one region itself, the one that began last.  Self times add up to the 700 of a, b
# and d.  Copies name no thread here.
cat >p_marker_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","outer",7,1,1,1000,3000
"MARKER_CORE_RANGE_API","inner",7,1,2,1100,2900
"MARKER_CORE_RANGE_API","other",7,2,3,1050,2950
END
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Thread_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,"a",9,1200,1300
"KERNEL_DISPATCH","Agent 4",2,"b",9,1400,1600
"KERNEL_DISPATCH","Agent 4",3,"c",9,1700,2500
"KERNEL_DISPATCH","Agent 4",,"d",9,2500,2900
END
columns=tid,region,gpu_total_ns,gpu_busy_ns,self_gpu_ns,kernels
kstats regions -f csv --columns $columns .
# The same from a run.db, and where the host made calls that launched nothing.
tracemerge -q -o run.db .
kstats regions -q -f csv --columns $columns run.db
rm run.db
cat >p_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",7,1,11,1000,1010
END
kstats regions -q -f csv --columns $columns .
