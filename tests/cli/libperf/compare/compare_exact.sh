# --exact: two spellings of one problem are two.
printf 'config,us\n./rocblas-bench -f gemm -r s -m 64 -n 64 -k 64,10\n' >a.csv
printf 'config,us\n./rocblas-bench -f gemm -k 64 -n 64 -m 64 -r f32_r,20\n' >b.csv
libperf compare -q -f csv --columns problem,status,speedup a.csv b.csv
libperf compare -q -f csv --columns problem,status,speedup --exact a.csv b.csv
