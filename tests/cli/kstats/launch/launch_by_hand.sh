# Launch 1 [100,110), kernel [120,150): A 10, Q 10, K 30, T 50.
# Launch 2 [200,230), kernel [220,225) starts and ends inside the call: A 30, no Q, K 5, T 30.
# Graph launch 3 [300,311) with kernels [320,330) [330,350) of vec and [350,360) of gemm: A is 11 in all,
#   4 and 4 and 3; Q 9, 19, 39; T 30, 50, 60.
# Kernel 9 has no launch; launches 4 (another spelling) and 5 have no kernel.  hipMemcpy 6 launched a
#   kernel too, though it is no launch by name: A 40, Q none, K 10, T 40.
# vec: 4 kernels, A (10+30+4+4)/4 = 12; Q 10 9 19 of 3; K (30+5+10+20)/4 = 16.25; T (50+30+30+50)/4 = 40.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"vec<int, 2>",1,120,150
"KERNEL_DISPATCH",4,2,"vec<int, 2>",2,220,225
"KERNEL_DISPATCH",4,1,"vec<int, 2>",3,320,330
"KERNEL_DISPATCH",4,1,"vec<int, 2>",3,330,350
"KERNEL_DISPATCH",4,1,"gemm",3,350,360
"KERNEL_DISPATCH",4,1,"gemm",9,400,410
"KERNEL_DISPATCH",4,1,"copyBuffer",6,610,620
EOF
cat >k_hip_api_trace.csv <<'EOF'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",77,7,1,100,110
"HIP_RUNTIME_API","hipExtModuleLaunchKernel",77,7,2,200,230
"HIP_RUNTIME_API","hipGraphLaunch",77,7,3,300,311
"HIP_RUNTIME_API","hipLaunchKernel_spt",77,7,4,500,510
"HIP_RUNTIME_API","hipLaunchCooperativeKernelMultiDevice",77,7,5,520,530
"HIP_RUNTIME_API","hipMemcpy",77,7,6,600,640
"HIP_RUNTIME_API","hipMalloc",77,7,7,700,710
EOF
kstats launch -f csv ./*.csv
kstats launch ./*.csv
kstats launch -f csv -s calls -n 1 --columns name,calls,api_avg_ns --name base ./*.csv
kstats launch -f csv --columns name,calls -w 200..340 ./*.csv
