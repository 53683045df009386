# Of a rate the problem makes a time: 2*64^3 = 524288 operations at 52.4288 Gflops are 10 us; a rate of bytes
# cannot be compared with that.
h=transA,transB,M,N,K,a_type,b_type,c_type,d_type,compute_type
p=f32_r,f32_r,f32_r,f32_r,f32_r
printf 'function,%s,rocblas-Gflops\ngemm,N,N,64,64,64,%s,52.4288\ngemm,T,N,64,64,64,%s,52.4288\n' $h $p $p >a.txt
printf 'function,%s,rocblas-Gflops,us\ngemm,N,N,64,64,64,%s,26.2144,20\n' $h $p >b.txt
printf 'function,%s,rocblas-GB/s\ngemm,T,N,64,64,64,%s,5\n' $h $p >c.txt
cat c.txt >>b.txt
libperf compare -f csv a.txt b.txt
