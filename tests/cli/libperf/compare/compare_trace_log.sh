# The weights straight from a log, in which rocBLAS tells of its calls twice: its profile counts more (8 calls
# of the two problems), its bench lines are left out.
h='function,a_type,b_type,c_type,d_type,compute_type,transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us'
for us in 200 100; do # 2 * 512^3 operations in 200 us are 1342.177 Gflops
	printf '%s\ngemm,f32_r,f32_r,f32_r,f32_r,f32_r,N,T,512,512,512,1,512,0,512,512,%s,%s\n' $h $((268435456 / us / 1000)) $us >$us.txt
done
cat >app.log <<'LOG'
step 1
./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB T -m 512 -n 512 -k 512 --alpha 1 --lda 512 --ldb 512 --beta 0 --ldc 512 
- { rocblas_function: "rocblas_sgemm", atomics_mode: atomics_allowed, transA: 'N', transB: 'T', M: 512, N: 512, K: 512, alpha: 1.0, lda: 512, ldb: 512, beta: 0.0, ldc: 512, call_count: 8 }
LOG
libperf compare -f csv --columns problem,status,calls,saved_us --trace app.log 200.txt 100.txt
