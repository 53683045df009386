# What names say of matrix kernels.  Tensile: bf16 factors, mfma for ISA942, GSU4 splits K in four; without ISA the
# instruction is mfma or wmma; without MI nothing says which.  f16 takes 400 + 100 of 1000 ns of matrix work, bf16 300;
# the rest, 200, is a kernel whose name says nothing.  The copy is no matrix work.
{
	echo '"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
	echo '"KERNEL_DISPATCH",4,"Cijk_Ailk_Bljk_BBS_BH_MT128x64x32_MI16x16x16x1_SN_GSU4_ISA942_SK0",1,1000,1300'
	echo '"KERNEL_DISPATCH",4,"Cijk_Alik_Bljk_HHS_BH_Bias_UserArgs_MT256x224x64_MI16x16x1_SN_SK3",2,2000,2200'
	echo '"KERNEL_DISPATCH",4,"Cijk_Alik_Bljk_HHS_BH_Bias_UserArgs_MT256x224x64_MI16x16x1_SN_SK3",3,3000,3200'
	echo '"KERNEL_DISPATCH",4,"Cijk_Ailk_Bljk_HB_MT64x64x16_SN_tail",4,4000,4100'
	echo '"KERNEL_DISPATCH",4,"my_gemm_kernel",5,5000,5200'
	echo '"KERNEL_DISPATCH",4,"__amd_rocclr_copyBuffer",6,6000,6900'
} >k_kernel_trace.csv
kstats gemm --tiles -f csv k_kernel_trace.csv || exit
kstats gemm --types -f csv k_kernel_trace.csv || exit
COLUMNS=100 kstats gemm --types k_kernel_trace.csv || exit
tracemerge -q --stats-only -o sums.db k_kernel_trace.csv || exit
kstats gemm -q --types -f csv sums.db >sums && kstats gemm -q --types -f csv k_kernel_trace.csv | cmp - sums || exit
kstats gemm --tiles -f csv -k copyBuffer k_kernel_trace.csv; echo $?
kstats gemm --tiles -f csv "$TESTDATA/rocprofv3/7.0/ranks"
