# A page of a statistics file has the same rows as that of a trace: kernels a and a gemm take 100 ns each, so that gemm is
# 50 % or, as a has no class, up to 100 %: neither met nor missed.  What sums cannot tell is absent, never 0 and without
# verdict.  Nor is there a share of API calls: that of `sync` is of the sum of all calls there, not of time.
cat >s_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"a",2,100,50,50.0,40,60,14.142136
"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,100,100,50.0,100,100,0
END
cat >s_hip_api_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"hipDeviceSynchronize",2,100,50,10.0,40,60,14.142136
"hipLaunchKernel",1,900,900,90.0,900,900,0
END
kstats summary -f csv s_kernel_stats.csv s_hip_api_stats.csv
# Only `top` can be asked for other domains, whoever says so.
kstats summary s_hip_api_stats.csv
