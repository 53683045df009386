# What no device computes, and what is no positive number, is left out.
h='a_type,b_type,c_type,d_type,compute_type,transA,transB,m,n,k,hipblaslt-Gflops,us'
p='f32_r,f32_r,f32_r,f32_r,f32_r,N,N'
for us in 0.001 0 nan -1 failed; do
	printf '%s\n%s,1024,1024,1024,1,%s\n' "$h" "$p" "$us"
done >a.txt
printf '%s\n%s,1024,1024,1024,107374,20\n' "$h" "$p" >b.txt
libperf compare -f csv --metric us a.txt b.txt
