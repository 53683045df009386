# rocblas-bench prints types only if it is asked to.  Without them, and without the command, products of f16 and f32 have
# the same row but for the time: 50 and 200 us are taken for repeats of one problem, with a median of 125, and a note
# says so.  With the commands they are two problems, and there is no such note.
echo 'transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us' >header
row() {
	cat header
	awk -v us="$1" 'BEGIN { printf "N,N,1024,1024,1024,1,1024,0,1024,1024, %.1f, %s\n", 2 * 1024 ^ 3 / us / 1000, us }'
}
log() {
	$1 './rocblas-bench -f gemm -r f16_r -m 1024 -n 1024 -k 1024'
	row 50
	$1 './rocblas-bench -f gemm -r f32_r -m 1024 -n 1024 -k 1024'
	row "$2"
}
log : 200 >base
log : 210 >new
log echo 200 >commands
log echo 210 >commands_new
libperf compare -f csv --columns types,problem,base_us,new_us base new 2>&1 | grep -e types -e 1024x
libperf compare -f csv --columns types,problem,base_us,new_us commands commands_new 2>&1 | grep -e types -e 1024x
