# The function decides: not the library it is in (fbgemm_gpu), nor the types of its arguments.  Matrix work
# is the last three: a product that Inductor wrote out as a reduction, one of FBGEMM, one of DeepGEMM:
# 4 + 2 + 1 of 100 us.
cat >k_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"void fbgemm_gpu::permute_2D_data_kernel<long, int>(int, fbgemm_gpu::GemmShape)",1,50000,50000,50,50000,50000,0
"split_embedding_codegen_forward_kernel(fbgemm_gpu::FixedDivisor)",1,20000,20000,20,20000,20000,0
"void app::count_kernel<fbgemm_gpu::FixedDivisor>(int)",1,10000,10000,10,10000,10000,0
"void at::native::vectorized_elementwise_kernel<4, fbgemm_gpu::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)",1,8000,8000,8,8000,8000,0
"triton_red_fused_add_addmm_native_layer_norm_view_5",1,5000,5000,5,5000,5000,0
"triton_red_fused_bmm_9",1,4000,4000,4,4000,4000,0
"void fbgemm_gpu::bf16_grouped_gemm_kernel<128>(int)",1,2000,2000,2,2000,2000,0
"void deep_gemm::sm90_bf16_gemm_impl<1>(int)",1,1000,1000,1,1000,1000,0
END
kstats classes -q -f csv --explain --columns total_ns,class,name k_kernel_stats.csv
kstats gemm -q -f csv --columns share,total_ns,kernel_pct k_kernel_stats.csv
