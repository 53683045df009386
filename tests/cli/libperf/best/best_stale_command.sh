# One command line, then results of other sizes too (a file of problems was run): only the first is what the
# command says, of f16_r; of the others nobody knows the types.
h='transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us'
printf 'rocblas-bench -f gemm -r f16_r -m 64 -n 64 -k 64 --alpha 1 --beta 0\n%s\nN,N,64,64,64,1,64,0,64,64,52.4288,10\n%s\nN,N,32,64,64,1,32,0,64,32,26.2144,10\n' "$h" "$h" >log.txt
libperf best -q -f csv --columns problem,library,us log.txt
