# Paths, numbers, kernels of regions, and what is in none: 10 + 20 + 40 + 80 + 160 + 1 = 311 ns, as `top` has it.
#
#   thread 7   train 0 .......................................... 900
#              step 3   100......300          step 4   400 ....... 700        a/b 750..800, which holds what joins parts
#              attn_1(512)  110..200          attn_1(64)  410..500
#   calls      1: 120 (attn)   2: 250 (step 3)   3: 420 (attn, as a graph)   4: 760 (a/b)   thread 8: 5 at 120, in no region
# Kernel 9 has no call, and nothing is open when it starts: that is said, too.
cat >r_marker_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_RANGE_API","train",7,7,100,0,900
"MARKER_CORE_RANGE_API","ProfilerStep#3",7,7,101,100,300
"MARKER_CORE_RANGE_API","ProfilerStep#4",7,7,102,400,700
"MARKER_CORE_RANGE_API","attn_1(512)",7,7,103,110,200
"MARKER_CORE_RANGE_API","attn_1(64)",7,7,104,410,500
"MARKER_CORE_RANGE_API","a/b",7,7,105,750,800
END
cat >r_hip_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipLaunchKernel",7,7,1,120,130
"HIP_RUNTIME_API","hipLaunchKernel",7,7,2,250,260
"HIP_RUNTIME_API","hipGraphLaunch",7,7,3,420,430
"HIP_RUNTIME_API","hipLaunchKernel",7,7,4,760,770
"HIP_RUNTIME_API","hipLaunchKernel",7,8,5,120,130
END
cat >r_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4",1,"softmax",1,1000,1010
"KERNEL_DISPATCH","Agent 4",1,"gemm",2,1100,1120
"KERNEL_DISPATCH","Agent 4",1,"softmax",3,1200,1240
"KERNEL_DISPATCH","Agent 4",1,"gemm",4,1300,1380
"KERNEL_DISPATCH","Agent 4",1,"gemm",5,1400,1560
"KERNEL_DISPATCH","Agent 4",1,"lost",9,1600,1601
END
columns=region,depth,count,gpu_total_ns,self_gpu_ns,kernels,numbers,reason
kstats regions -f csv --columns $columns .
# No limit hides what is in no region, and it stays behind the others.
kstats regions -q -f csv --columns region,self_gpu_ns -s self_gpu -n 1 .
kstats regions -q -f csv --kernels .
kstats regions -q -f csv --kernels --name class -n 1 .
kstats regions -q -f csv --list .
tracemerge -q -o run.db .
for view in "" --kernels --list; do
	kstats regions -q -f csv $view . >want
	kstats regions -q -f csv -j 4 $view run.db | cmp - want
done
