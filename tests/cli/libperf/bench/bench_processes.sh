# Two processes of srun --label print at once, with another device and another header each: the values of
# each are read by its own header, and rows stand in the order of their lines.  mpirun's tags say the same,
# torchrun's name no rank.
cat >srun.txt <<'EOF'
 0: Query device success: there are 8 devices. (Target device ID is 0)
11: Query device success: there are 8 devices. (Target device ID is 1)
 0: Device ID 0 : AMD Instinct MI300X gfx942:sramecc+:xnack- (PCI Chip ID: 1)
11: Device ID 1 : AMD Instinct MI250X gfx90a:sramecc+:xnack- (PCI Chip ID: 2)
 0: transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us
11: function,transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us
11: gemm,N,T,1024,1024,1024,1,1024,0,1024,1024, 20000, 107.374
 0: N,T,1024,1024,1024,1,1024,0,1024,1024, 10000, 214.748
EOF
libperf bench -f csv srun.txt || exit
sed 's/^ *\([0-9]*\): /[1,\1]<stdout>:/' srun.txt >mpirun.txt
sed 's/^ *\([0-9]*\): /[default\1]:/' srun.txt >torchrun.txt
libperf bench --columns line,function,M,us,rank,gcnArchName mpirun.txt || exit
libperf bench --columns line,function,M,us,gcnArchName torchrun.txt
