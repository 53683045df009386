# GB/s of hipBLASLt are 2^30 bytes: 1000 of them are 1073.741824 of rocBLAS, so these two are the same.
printf 'function,a_type,b_type,c_type,d_type,compute_type,transA,transB,M,N,K,rocblas-GB/s\ngemm,f32_r,f32_r,f32_r,f32_r,f32_r,N,N,64,64,64,1073.741824\n' >a.txt
printf 'transA,transB,m,n,k,a_type,b_type,c_type,d_type,compute_type,hipblaslt-GB/s\nN,N,64,64,64,f32_r,f32_r,f32_r,f32_r,f32_r,1000\n' >b.txt
libperf compare -f csv a.txt b.txt
