# A problem that two libraries were measured for counts once in the totals, by the one that was faster before:
#   128: hipblaslt 80 -> 84 us (and rocblas 100 -> 100), 256: rocblas 50 -> 50, 10 calls each
#   1300 -> 1340 us, 0.9701 (3.08 %); geometric mean sqrt(80 / 84) = 0.9759
#   512: gone from rocblas and from hipblaslt, which is one problem gone
table() {
	echo library,m,n,k,transA,transB,a_type,b_type,c_type,d_type,compute_type,calls,us
	while read -r library size us; do
		echo "$library,$size,$size,64,N,T,f16_r,f16_r,f16_r,f16_r,f32_r,10,$us"
	done
}
for i in 0 1 2 3 4 5; do
	printf '%s\n' "rocblas 128 100.0$i" "hipblaslt 128 80.0$i" "rocblas 256 50.0$i" "rocblas 512 7.0$i" "hipblaslt 512 8.0$i"
done | table >base.csv
for i in 0 1 2 3 4 5; do
	printf '%s\n' "rocblas 128 100.0$i" "hipblaslt 128 84.0$i" "rocblas 256 50.0$i"
done | table >new.csv
libperf compare -f csv --columns problem,library,status,base_us,new_us,speedup,note base.csv new.csv
# A row that became slower is still one for --fail-over, whoever is faster; one problem, though both libraries are.
sed 's/,100\.0/,150.0/; s/,84\.0/,150.0/' new.csv >slow.csv
libperf compare --fail-over 10 --columns problem,library,status,speedup base.csv slow.csv
