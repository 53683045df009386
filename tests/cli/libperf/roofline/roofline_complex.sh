# rocblas-bench prints no types, but a complex alpha: such a product has 8mnk operations, by hand
# 8 * 100 * 200 * 300 = 48000000, at 20 us 2400 Gflops as printed; with a real alpha 2mnk = 12000000, 600 Gflops.
cat >log.txt <<'EOT'
transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us
N,C,100,200,300,(1: 0),100,(0: 0),200,100, 2400, 20
N,T,100,200,300,1,100,0,200,100, 600, 20
EOT
libperf roofline -f csv --columns problem,flops,gflops,printed_gflops log.txt
