# What nobody should print: NUL bytes, a line of two megabytes, a header of 2000 columns, 70000 fields in a line, a
# quote that is never closed, escape sequences in a name.  Everything readable is read.
h='transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us'
v='N,N,64,64,64,1,64,0,64,64,52.4288'
{
	printf '%s\n%s,1\000\n%s,10\n' "$h" "$v" "$v"
	head -c 2000000 /dev/zero | tr '\0' ,
	printf '\n%s,20\n' "$v"
	printf 'a,%.0s' $(seq 2000)
	printf 'rocblas-Gflops,us\n%s,30\n' "$v"
	printf '(1,1),%.0s' $(seq 70000)
	printf '\n%s,40\n' "$v"
} >log.txt
libperf bench --columns line,us log.txt
printf 'k\033[31m,us\n"never closed,1\nx,2\n' >t.csv
libperf bench t.csv
printf 'k\033[31m,us\nx,2\n' >t.csv
libperf best --key nokey t.csv
