# Rows of a statistics file have names, but neither agent nor stream: they are chosen by name and
# class, and left out, counted, by stream.
cat >k_kernel_stats.csv <<'E'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"gemm_a",2,30,15.000000,30.00,10,20,7.071068
"layernorm_k",1,70,70.000000,70.00,70,70,0.000000
E
kstats top -f csv --columns name,calls,total_ns -k ^gemm k_kernel_stats.csv
kstats top -f csv --columns name,calls,total_ns --stream 1 k_kernel_stats.csv
