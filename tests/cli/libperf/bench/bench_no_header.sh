# Values of rocblas-bench whose header was cut off are skipped and counted, with or without transposes in front: two
# here.  The third has its header: 2 * 1024^3 / 40 us = 53687.1 Gflops.
cat >log <<'EOF'
gemm_ex,bf16_r,bf16_r,bf16_r,bf16_r,f32_r,T,N,4096,4096,4096,1,4096,0,4096,4096,4096,1,2,10, 572662, 240
axpy,f32_c,f32_c,f32_c,f32_c,f32_c,2048000,(1: 0),1,1, 409.6, 1228.8, 40
function,a_type,b_type,c_type,d_type,compute_type,transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,ldd,batch_count,cold_iters,hot_iters,rocblas-Gflops,us
gemm_ex,bf16_r,bf16_r,bf16_r,bf16_r,f32_r,N,N,1024,1024,1024,1,1024,0,1024,1024,1024,1,2,10, 53687.1, 40
EOF
libperf bench -f csv --columns line,function,M,us log
