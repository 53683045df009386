# What only launches has the name of what it launches: CK-Tile's kentry, CUTLASS' Kernel2 and device_kernel,
# Kokkos' parallel_launch.
cat >k_kernel_stats.csv <<'END'
"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"
"void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::TileFmhaShape<64>, int>, ck_tile::Kargs>(ck_tile::Kargs)",1,8000,8000,25,8000,8000,0
"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_4PipeIiEEEEJiEEEvDpT1_",1,7000,7000,20,7000,7000,0
"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4::Params)",1,6000,6000,20,6000,6000,0
"void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<int> > >(int)",1,5000,5000,15,5000,5000,0
"void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<app::Step<2>, Kokkos::RangePolicy<Kokkos::HIP>, Kokkos::HIP>, 1024u, 1u>(int)",1,4000,4000,15,4000,4000,0
"void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<app::Sum, Kokkos::RangePolicy<Kokkos::HIP>, Kokkos::HIP>, 1024u, 1u>(int)",1,3000,3000,5,3000,3000,0
END
kstats top -q -f csv --name base --columns total_ns,class,name k_kernel_stats.csv
