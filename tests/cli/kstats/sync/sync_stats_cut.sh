# The first rows of a statistics file: the Percentage of hipMemcpy says that the whole is 400, so the 300
# that are there are no denominator.
cat >p_hip_api_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"hipMemcpy",2,200,100.000000,50.00,100,100,0.00000000e+00
"hipLaunchKernel",1,100,100.000000,25.00,100,100,0.00000000e+00
END
kstats sync -f csv p_hip_api_stats.csv
