# Kernel time 20 + 20 + 5 + 5 + 5 = 55 ns: gemm 40 = 72.7273 %, attention 5 = 9.0909 %, unknown 10 = 18.1818 %.  The two gemm
# kernels overlap: their union is 30 of 45 busy ns = 66.6667 %, of a window of 60 ns = 50 %.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,1020
"KERNEL_DISPATCH",4,2,"Cijk_Ailk_Bljk_HHS_BH_MT64x64x32",2,1010,1030
"KERNEL_DISPATCH",4,2,"void flash_fwd_kernel<64>(Params)",3,1030,1035
"KERNEL_DISPATCH",4,2,"frobnicate(int)",4,1035,1040
"KERNEL_DISPATCH",4,2,"frobnicate(int)",5,1055,1060
EOF
kstats gemm -f csv k_kernel_trace.csv
kstats classes -f csv k_kernel_trace.csv
kstats classes -f csv --explain --columns class,total_ns,name k_kernel_trace.csv
kstats classes -f csv --unclassified k_kernel_trace.csv
kstats gemm -q --max-unclassified 20 k_kernel_trace.csv
