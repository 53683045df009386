# 2 * 2^40 * 2^20 * 2^20 flops are 2^81, more than 64 bits: digits all the same.  Of 2^64 * 2^64 * 2^64 nobody knows.
cat >job.log <<'END'
./rocblas-bench -f gemm -r f32_r -m 1099511627776 -n 1048576 -k 1048576
./rocblas-bench -f gemm -r f32_r -m 18446744073709551615 -n 18446744073709551615 -k 18446744073709551615
./rocblas-bench -f gemm -r f32_r -m 18446744073709551616 -n 1 -k 1
END
libperf top -f csv job.log
