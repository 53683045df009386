# Of 100 us, 50 are a matrix product for certain.  6 more count as one, but may be the softmax that they are
# fused with: without them 50 %.  9 (the copy of an operand, or the product) and 8 (a name that says nothing)
# do not count, but may be one: with them 73 %.  7 may be a convolution or its bias: in matrix, or not.
cat >k_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,50000,50000,50,50000,50000,0
"rms_norm_kernel",1,20000,20000,20,20000,20000,0
"triton_poi_fused_bmm_3",1,9000,9000,9,9000,9000,0
"main_kernel",1,8000,8000,8,8000,8000,0
"triton_red_fused_convolution_2",1,7000,7000,7,7000,7000,0
"triton_per_fused__softmax_add_bmm_6",1,6000,6000,6,6000,6000,0
END
kstats gemm -f csv k_kernel_stats.csv
kstats gemm -f csv --suspects k_kernel_stats.csv
# 56 % is below the target of 60 %, 73 % is not: neither met nor missed.
kstats summary -q -f csv k_kernel_stats.csv >summary.csv
grep ^gemm.kernel summary.csv
# 50 to 59 %: met.  61 to 70 %: missed.
for high in 50 61; do
	cat >k_kernel_stats_$high.csv <<END
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,${high}000,${high}000,$high,${high}000,${high}000,0
"rms_norm_kernel",1,$((91 - high))000,$((91 - high))000,$((91 - high)),$((91 - high))000,$((91 - high))000,0
"triton_poi_fused_bmm_3",1,9000,9000,9,9000,9000,0
END
	kstats summary -q -f csv k_kernel_stats_$high.csv >summary.csv
	grep ^gemm.kernel summary.csv
done
# No rule of doubt, no doubt.
printf 'gemm\tCijk\nother\t.\n' >mine.tsv
kstats gemm -f csv --columns share,kernel_pct,low_pct,high_pct --classes mine.tsv k_kernel_stats.csv
kstats gemm -f csv --suspects --classes mine.tsv k_kernel_stats.csv
