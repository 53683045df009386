# Of six commands a shell echoed four, with or without a path and a variable, also where a log has something in front of
# its lines.  Two are calls: one of them after a sum that a program printed.
sed 's/$/ -m 64 -n 64 -k 64/' >log <<'X'
+ rocblas-bench
++ ROCBLAS_LAYER=2 ./rocblas-bench
10:00:00 [INFO] + ./rocblas-bench
3: ++ /opt/rocm/bin/hipblaslt-bench
10:00:00 [INFO] ./rocblas-bench
a + b = c hipblaslt-bench
X
libperf trace --columns library,calls,config log
