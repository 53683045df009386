# Half of the time has no class: more than 20 %, so the answer is no.  A limit that holds is yes.
cat >k_kernel_trace.csv <<'EOF'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,1020
"KERNEL_DISPATCH",4,2,"frobnicate(int)",4,1035,1055
EOF
kstats gemm -q -f csv --max-unclassified 50 k_kernel_trace.csv; echo "status $?"
kstats gemm -q -f csv --max-unclassified 49.9999 k_kernel_trace.csv
