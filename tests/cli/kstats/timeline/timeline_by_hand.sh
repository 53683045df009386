# Five rows on one agent, times from 1000:
#
#   0         10        20        30        40        50
#   gemm      [=========)                                      [1000,1020)
#   gemm           [=========)                                 [1010,1030)  beside the other
#   comm                   [=========)                         [1025,1045)  hidden until 1030
#   copy                        [===)                          [1035,1040)  behind comm
#   copy                                     [====)            [1050,1060)
#
# window 60: compute 30, exposed comm 15 (1030-1045), exposed copy 10 (1050-1060), idle 5 (1045-1050);
# comm 20 of which 5 hidden = 25 %; copy 15; sum of lengths 20+20+20+5+10 = 75 over 55 busy = 1.3636;
# kernels 3, all shorter than 10 us.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,1020
"KERNEL_DISPATCH",4,2,"Cijk_Ailk_Bljk_HHS_BH_MT64x64x32",2,1010,1030
"KERNEL_DISPATCH",4,3,"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",3,1025,1045
EOF
cat >k_memory_copy_trace.csv <<'EOF'
"Kind","Direction","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","HOST_TO_DEVICE",0,4,4,1035,1040
"MEMORY_COPY","DEVICE_TO_HOST",4,0,5,1050,1060
EOF
kstats timeline -f csv k_kernel_trace.csv k_memory_copy_trace.csv
kstats timeline k_kernel_trace.csv
kstats timeline -q -f csv --columns rank,agent,idle_pct,kernels -w 1015..1050 k_kernel_trace.csv k_memory_copy_trace.csv
