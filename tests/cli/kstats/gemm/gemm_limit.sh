# Half of the time has no class: more than 20 %, so the answer is no.  A limit that holds is yes.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,1020
"KERNEL_DISPATCH",4,2,"frobnicate(int)",4,1035,1055
EOF
# 1 ns of 10 s is printed as 0.0000 %, and is more than nothing.
cat >n_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,10000001000
"KERNEL_DISPATCH",4,1,"frobnicate(int)",2,10000002000,10000002001
EOF
kstats classes --unclassified -f csv --max-unclassified 0 n_kernel_trace.csv; echo "status $?"
kstats summary -q -f csv --columns unit --max-unclassified 0.0001 n_kernel_trace.csv >out; echo "status $?"
kstats gemm -q -f csv --max-unclassified 50 k_kernel_trace.csv; echo "status $?"
kstats gemm -q -f csv --max-unclassified 49.9999 k_kernel_trace.csv
