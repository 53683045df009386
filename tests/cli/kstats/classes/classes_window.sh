# A window into a running gemm: 1500..2000 holds 400 of gemm, which began at 1000, and then a relu of 100.  Only the
# relu starts inside and counts; but the gemm ran for 400 of the 500, 80 %, as `timeline` has it, whether another
# gemm starts inside (as in 1500..3100: 400 + 100 of 600 busy, of 1600) or not.
cat >k_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1000,1900
"KERNEL_DISPATCH",4,1,"relu_kernel",2,1900,2000
"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",3,3000,3100
END
kstats classes -f csv -w 1500..2000 k_kernel_trace.csv
kstats classes -f csv -w 1500..3100 k_kernel_trace.csv
kstats gemm -f csv -w 1500..2000 k_kernel_trace.csv
kstats classes --explain -f csv --columns class,kernels,calls,busy_pct,name -w 1500..2000 k_kernel_trace.csv
# Nothing starts inside, but the gemm runs all the time: no share of kernel time, all of the busy time.  The same from a
# run.db; and the page says that the agent was busy.
kstats gemm -f csv -w 1500..1600 k_kernel_trace.csv
kstats classes -f csv -w 1500..1600 k_kernel_trace.csv
tracemerge -q -o run.db k_kernel_trace.csv
kstats classes -f csv -w 1500..1600 run.db
kstats summary -q -f csv -w 1500..1600 k_kernel_trace.csv | grep -e busy -e calls
# Nothing at all.
kstats classes -f csv -w 2500..2600 k_kernel_trace.csv
