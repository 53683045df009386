# Two calls with all three layers of rocBLAS on, a third of a process that was killed before its profile, and one
# that broke off.  By hand: rocblas 3, rocblas_function 2, rocblas_trace 2 + 1 (other addresses, one text); two
# lines compute nothing, gbmv is in no table.  top counts three calls, once: 2 * 8 * 4 * 2 = 128 flops twice, and
# 2 * 100 once; as many lines of both, so those of the command lines.
cat >program.log <<'END'
rocblas_create_handle,atomics_allowed
rocblas_set_stream,0x55d0,atomics_allowed
rocblas_sgemm,N,N,8,4,2,1,0x7f10,8,0x7f20,2,0,0x7f30,8,atomics_allowed
./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m 8 -n 4 -k 2 --alpha 1 --lda 8 --ldb 2 --beta 0 --ldc 8 
rocblas_sgemm,N,N,8,4,2,1,0x7f40,8,0x7f50,2,0,0x7f60,8,atomics_allowed
./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m 8 -n 4 -k 2 --alpha 1 --lda 8 --ldb 2 --beta 0 --ldc 8 
step 1: 50%|#####     | rocblas_saxpy,100,2,0x7f10,1,0x7f20,1,atomics_allowed
./rocblas-bench -f axpy -r f32_r -n 100 --alpha 2 --incx 1 --incy 1 
rocblas_sgbmv,N,4,4,1,1,1,0x7f01,3,0x7f02,1,0,0x7f03,1,atomics_allowed
rocblas_dgemv,T,8,4,1,0x7f1step 2
- { rocblas_function: "rocblas_sgemm", atomics_mode: atomics_allowed, transA: 'N', transB: 'N', M: 8, N: 4, K: 2, alpha: 1.0, lda: 8, ldb: 2, beta: 0.0, ldc: 8, call_count: 2 }
END
libperf trace program.log >library_trace.csv; echo $?
tr '\r' '!' <library_trace.csv
libperf top -f csv program.log
libperf top -q -f csv library_trace.csv >again
libperf top -q -f csv program.log | cmp - again
# The trace alone says the same.
grep rocblas_trace library_trace.csv | sed '1i jobid,created_date,model,library,config,calls' >alone.csv
libperf top -f csv alone.csv | cmp - again
