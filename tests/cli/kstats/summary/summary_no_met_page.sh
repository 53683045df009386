# Communication for 94 % of the kernel time, and the GPU idle for most of the window: no page of "met".  Kernels of 10000,
# a window of 40000: gemm 400, relu 200, RCCL 9400.  Of kernel time gemm is 4 %, below 60; but of the 600 that
# compute it is 400, 66.67 %: no verdict.  Idle 30000 of 40000, 75 %; exposed communication 9400, 23.5 %.
cat >p_kernel_trace.csv <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 4","Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,100000,100400
"KERNEL_DISPATCH","Agent 4","relu_kernel",2,100400,100600
"KERNEL_DISPATCH","Agent 4","ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",3,130600,140000
END
kstats summary -q -f csv . | grep -e _pct, -e ^timeline
# Nothing but communication: gemm is none of no compute, which meets nothing.
grep -v -e Cijk -e relu p_kernel_trace.csv >q_kernel_trace.csv
kstats summary -q -f csv q_kernel_trace.csv | grep -e gemm -e ^timeline
