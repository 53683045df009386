# A script says before each run what it does, and after it how that ended, with a name in front that may be a
# node's; the runs say nothing of a node.  The command of each row is the one right before it.
for n in 1 2 3; do
	echo "node1: start $n"
	echo "node1: ./rocblas-bench -f gemm_ex --a_type f16_r -m $n -n $n -k $n --transposeA T"
	echo 'transA,transB,M,N,K,alpha,lda,ldb,beta,ldc,rocblas-Gflops,us'
	echo "T,N,$n,$n,$n,1,$n,$n,0,$n,10,${n}0"
	echo 'node1: exit 0'
done >blas.log
libperf bench -q --columns line,M,command blas.log || exit
for n in 16 32 64; do
	echo "node1: MIOpenDriver conv -n $n -c 64 -H 28 -W 28 -k 64 -y 3 -x 3 -p 1 -q 1 -F 1 -t 1"
	echo 'MIOpen Forward Conv. Algorithm: 1, Solution: 85/ConvBinWinogradRxSf3x2'
	echo "GPU Kernel Time Forward Conv. Elapsed: 0.$n ms (average)"
	echo 'node1: exit 0'
done >miopen.log
libperf bench -q --columns line,timeMs,command miopen.log
