# Two launches of a graph of three kernels, and one of a graph of one; the node is recorded for the last.
#   launch 1 [100,110): a [120,130) at 0, b [140,170) at 20, a [170,180) at 50
#   launch 2 [300,310): a [320,334) at 0, b [330,340) at 10, a [350,370) at 30
#   launch 3 [500,510): node 7, b [520,525)
# Position 1: a 10 + 14; 2: b 30 + 10, starts (20 + 10)/2; 3: a 10 + 20, starts (50 + 30)/2.
# Kernel c is of a launch without graph.
# In [150,600) are a at 50 of launch 1, still position 3, and all of the others.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Graph_Exec_Id","Graph_Node_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,,,"a<int, 2>",1,120,130
"KERNEL_DISPATCH",4,1,,,"b",1,140,170
"KERNEL_DISPATCH",4,1,,,"a<int, 2>",1,170,180
"KERNEL_DISPATCH",4,1,,,"c",2,200,210
"KERNEL_DISPATCH",4,2,,,"b",3,330,340
"KERNEL_DISPATCH",4,1,,,"a<int, 2>",3,320,334
"KERNEL_DISPATCH",4,1,,,"a<int, 2>",3,350,370
"KERNEL_DISPATCH",4,1,3,7,"b",4,520,525
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipGraphLaunch",77,7,1,100,110
"HIP_RUNTIME_API","hipLaunchKernel",77,7,2,190,195
"HIP_RUNTIME_API","hipGraphLaunch_spt",77,7,3,300,310
"HIP_RUNTIME_API","hipGraphLaunch",77,7,4,500,510
EOF
kstats launch --graphs -f csv ./*.csv
kstats launch --graphs -s total ./*.csv
kstats launch --graphs -f csv -q --columns position,name,calls -w 150..600 ./*.csv
# A run without graphs.
kstats launch --graphs "$TESTDATA/rocprofv3/7.0/sync_each"
