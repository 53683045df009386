# Sums that no 64-bit number with a sign holds are refused, not cut off: two ranks of 1.6e19 and 1.8e19 ns each.  So
# are measurements of libraries: 1e9 calls of 1e30 us have no time; that they are called is as true as before.
stats() {
	printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n'
	printf '"k(float*)",%s,%s,%s,90.0,1,18000000000000000000,0.0\n' "$1" "$2" "$3"
	printf '"small",%s,4000,%s,10.0,1000,1000,0.0\n' "$4" "$5"
}
mkdir a b
stats 2 16000000000000000000 8000000000000000000 4 1000.0 >a/0_kernel_stats.csv
stats 2 16000000000000000000 8000000000000000000 2 2000.0 >a/1_kernel_stats.csv
stats 3 18000000000000000000 6000000000000000000 4 1000.0 >b/0_kernel_stats.csv
stats 3 18000000000000000000 6000000000000000000 2 2000.0 >b/1_kernel_stats.csv
tracediff -f csv a b 2>err; echo $?
grep error err
bench() {
	echo "transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us"
	echo "N,N,128,128,128,1,128,0,128,128,1,$1"
	echo "N,N,256,128,128,1,256,0,128,256,1,20"
}
mkdir c d
bench 1e30 >c/bench.txt
bench 1e31 >d/bench.txt
tracediff -q -f csv --per problem c d
# 1 call of 4e18 ns, then 100 of 4e16 ns: by calls alone 99 * 4e18 ns more, which no 64-bit number holds.
one() {
	printf '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n'
	printf '"k",%s,4000000000000000000,%s,100.0,1,4000000000000000000,0.0\n' "$1" "$2"
}
one 1 4000000000000000000 >e_kernel_stats.csv
one 100 40000000000000000 >f_kernel_stats.csv
tracediff -f csv --account e_kernel_stats.csv f_kernel_stats.csv 2>err; echo $?
grep error err
