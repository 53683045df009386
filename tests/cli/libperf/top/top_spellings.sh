# One problem in three spellings is one row; another solution is no other problem; one stride makes two.
cat >job.log <<'END'
./rocblas-bench -f gemm_strided_batched_ex --transposeA N --transposeB N -m 128 -n 128 -k 64 --alpha 1 --a_type f16_r --lda 128 --stride_a 8192 --b_type f16_r --ldb 64 --stride_b 8192 --beta 0 --c_type f16_r --ldc 128 --stride_c 16384 --d_type f16_r --ldd 128 --stride_d 16384 --batch_count 96 --compute_type f32_r --algo 0 --solution_index 0 --flags 0 
./rocblas-bench -f gemm_strided_batched_ex -m 128 -n 128 -k 64 -r f16_r --compute_type f32_r --batch_count 96 --solution_index 7 
./rocblas-bench --batch_count 96 -k 64 -n 128 -m 128 --stride_d 16384 --compute_type f32_r -r f16_r -f gemm_strided_batched_ex --alpha 1.000000 
./rocblas-bench -f gemm_strided_batched_ex -m 128 -n 128 -k 64 -r f16_r --compute_type f32_r --batch_count 96 --stride_d 16400 
END
libperf top -f csv job.log
