# Traced calls of RCCL instead of a log: names, no bytes.  Group calls start nothing.
t=$TESTDATA/rccl/2.18/two_ranks
cat >rccl_api_trace.csv <<EOF
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"RCCL_API","ncclGroupStart",42,42,1,800,810
"RCCL_API","ncclAllGather",42,42,3,920,930
"RCCL_API","ncclAllReduce",42,42,2,820,830
EOF
kstats ranks --collectives -f csv 0="$t"/0_kernel_trace.csv 0=rccl_api_trace.csv
