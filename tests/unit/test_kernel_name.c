/* SPDX-License-Identifier: MIT
 * Names of kernels at every level, and hostile symbols. */
#include "test.h"

#include "base/demangle.h"
#include "model/kernel_name.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define HUGE_NAME ((size_t)512 << 10)

/* CPU seconds nothing here may take, sanitized or not; without the limits it is hours. */
#define SOON 2.0

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* name at a level, in a static buffer of that level */
static const char *at(const char *name, size_t len, enum tm_name_level level)
{
	static struct tm_buf b[3];

	tm_buf_clear(&b[level]);
	CHECK(tm_kernel_name(&b[level], name, len, level));
	CHECK_U64(len == 0, b[level].n == 0);
	return b[level].p ? b[level].p : "";
}

struct row {
	const char *in, *full, *brief, *base;
};

static void check_rows(const struct row *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(v[i].in);

		CHECK_STR(at(v[i].in, len, TM_NAME_FULL), v[i].full);
		CHECK_STR(at(v[i].in, len, TM_NAME_SHORT), v[i].brief);
		CHECK_STR(at(v[i].in, len, TM_NAME_BASE), v[i].base);
	}
}

TEST(plain_names)
{
	static const char *const same[] = {
		"",
		"saxpy",
		"__amd_rocclr_copyBuffer",
		"SubTensorOpWithScalar1d",
		"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32_MI32x32x8x1_SN",
		"igemm_fwd_gtcx_nhwc_fp16_bx0_ex1_bt128x128x32",
		"Memcpy HtoD (Host -> Device)",
		"Memset (Device)",
		"CopyHostToDevice",
		"operator",
		" ",
		"::",
		".kd",
		"\"\"",
		"not_triton_poi_fused_add_3",
		"triton_3",
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		check_rows(&(struct row) { same[i], same[i], same[i], same[i] }, 1);
	/* tile sizes tell kernels apart at every level */
	CHECK(strcmp(at("Cijk_MT128x64", 13, TM_NAME_BASE), "Cijk_MT64x128") != 0);
	CHECK(at("abc", 3, TM_NAME_FULL) != NULL);
}

TEST(decoration)
{
	static const struct row v[] = {
		{ "axpby.kd", "axpby", "axpby", "axpby" },
		{ "axpby [clone .kd]", "axpby", "axpby", "axpby" },
		{ "axpby (.kd)", "axpby", "axpby", "axpby" },
		{ "axpby(.kd)", "axpby", "axpby", "axpby" },
		{ "\"axpby(int)\"", "axpby(int)", "axpby", "axpby" },
		{ "\"axpby(int) [clone .kd]\"", "axpby(int)", "axpby", "axpby" },
		{ "\"_Z5axpbyi.kd\"", "axpby(int)", "axpby", "axpby" },
		{ "_Z5axpbyi (.kd)", "axpby(int)", "axpby", "axpby" },
		{ "a.kd.kd", "a", "a", "a" },
		{ "triton_poi_fused_add_mul_17", "triton_poi_fused_add_mul_17",
		  "triton_poi_fused_add_mul", "triton_poi_fused_add_mul" },
		{ "triton_red_fused_0.kd", "triton_red_fused_0", "triton_red_fused",
		  "triton_red_fused" },
	};
	size_t n;
	const char *name = "\"f.kd\"";

	check_rows(v, sizeof v / sizeof *v);
	CHECK(tm_kernel_name_trim(name, 6, &n) == name + 1);
	CHECK_U64(n, 1);
}

TEST(functions)
{
	static const struct row v[] = {
		{ "copy_all(double*, int)", "copy_all(double*, int)", "copy_all", "copy_all" },
		{ "void sim::step<float, 4>(float*)", "void sim::step<float, 4>(float*)",
		  "sim::step<float, 4>", "step" },
		{ "void sim::step<float, 4>", "void sim::step<float, 4>", "sim::step<float, 4>",
		  "step" },
		{ "void sim::step<float> [with T = float]",
		  "void sim::step<float> [with T = float]", "sim::step<float>", "step" },
		{ "std::enable_if<((4)>(2)), void>::type ns::pick<int, 4>(int)",
		  "std::enable_if<((4)>(2)), void>::type ns::pick<int, 4>(int)", "ns::pick<int, 4>",
		  "pick" },
		{ "std::enable_if<(((8)<<(1))<(9)), int>::type pick<A<B<int>>>(int)",
		  "std::enable_if<(((8)<<(1))<(9)), int>::type pick<A<B<int>>>(int)",
		  "pick<A<B<int>>>", "pick" },
		{ "decltype ((a)->b(c)) apply<int>(A*) [clone .kd]",
		  "decltype ((a)->b(c)) apply<int>(A*)", "apply<int>", "apply" },
		{ "unsigned int const& pkg::(anonymous namespace)::get(int) const",
		  "unsigned int const& pkg::(anonymous namespace)::get(int) const", "pkg::get",
		  "get" },
		{ "void (anonymous namespace)::inner<(anonymous namespace)::T>(int)",
		  "void (anonymous namespace)::inner<(anonymous namespace)::T>(int)", "inner<T>",
		  "inner" },
		{ "(anonymous namespace)::inner(int)", "(anonymous namespace)::inner(int)", "inner",
		  "inner" },
		{ "void "
		  "rocprim::ROCPRIM_300400_NS::detail::run<rocprim::ROCPRIM_300400_NS::cfg>(int)",
		  "void "
		  "rocprim::ROCPRIM_300400_NS::detail::run<rocprim::ROCPRIM_300400_NS::cfg>(int)",
		  "rocprim::detail::run<rocprim::cfg>", "run" },
		{ "hipcub::HIPCUB_300400_NS::f<MYROCPRIM_3_NS::g>()",
		  "hipcub::HIPCUB_300400_NS::f<MYROCPRIM_3_NS::g>()",
		  "hipcub::f<MYROCPRIM_3_NS::g>", "f" },
		{ "thrust::THRUST_200400_1_NS::f<A<1>>()", "thrust::THRUST_200400_1_NS::f<A<1>>()",
		  "thrust::f<A<1>>", "f" },
		{ "f<void (*)(int, char), int (&) [3], int (A::*)(int) const>(int)",
		  "f<void (*)(int, char), int (&) [3], int (A::*)(int) const>(int)",
		  "f<void (*)(int, char), int (&) [3], int (A::*)(int) const>", "f" },
		{ "void k<&(op_sin(float)), (mode)2>(float*)",
		  "void k<&(op_sin(float)), (mode)2>(float*)", "k<&(op_sin(float)), (mode)2>",
		  "k" },
		{ "fn[abi:cxx11](int)", "fn[abi:cxx11](int)", "fn[abi:cxx11]", "fn[abi:cxx11]" },
		{ "Outer::~Outer()", "Outer::~Outer()", "Outer::~Outer", "~Outer" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

TEST(operators)
{
	static const struct row v[] = {
		{ "void A::operator()<int>(int) const", "void A::operator()<int>(int) const",
		  "A::operator()<int>", "A::operator()" },
		{ "ns::A<int>::operator()(int)", "ns::A<int>::operator()(int)",
		  "ns::A<int>::operator()", "A::operator()" },
		{ "bool operator< <int>(A<int>, int)", "bool operator< <int>(A<int>, int)",
		  "operator< <int>", "operator<" },
		{ "bool operator> <int>(A<int>)", "bool operator> <int>(A<int>)", "operator> <int>",
		  "operator>" },
		{ "S& operator<< <int>(S&)", "S& operator<< <int>(S&)", "operator<< <int>",
		  "operator<<" },
		{ "S& ns::operator>>(S&, A)", "S& ns::operator>>(S&, A)", "ns::operator>>",
		  "ns::operator>>" },
		{ "A::operator->() const", "A::operator->() const", "A::operator->",
		  "A::operator->" },
		{ "A::operator bool() const", "A::operator bool() const", "A::operator bool",
		  "A::operator bool" },
		{ "A::operator std::pair<int, char> const*()",
		  "A::operator std::pair<int, char> const*()",
		  "A::operator std::pair<int, char> const*",
		  "A::operator std::pair<int, char> const*" },
		{ "operator new[](unsigned long)", "operator new[](unsigned long)",
		  "operator new[]", "operator new[]" },
		{ "operator\"\" _km(double)", "operator\"\" _km(double)", "operator\"\" _km",
		  "operator\"\" _km" },
		{ "void my_operator<int>(int)", "void my_operator<int>(int)", "my_operator<int>",
		  "my_operator" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

/* Numbers of lambdas are no part of the name, but a mark after it: two lambdas of a function are
 * two kernels. */
TEST(lambdas)
{
	static const struct row v[] = {
		{ "ns::run(int*)::{lambda(int)#1}::operator()(int) const",
		  "ns::run(int*)::{lambda(int)#1}::operator()(int) const",
		  "ns::run(int*)::{lambda(int)}::operator()", "run::{lambda(int)}::operator()" },
		{ "ns::run(int*)::{lambda(int)#2}::operator()(int) const",
		  "ns::run(int*)::{lambda(int)#2}::operator()(int) const",
		  "ns::run(int*)::{lambda(int)}::operator()#2",
		  "run::{lambda(int)}::operator()#2" },
		{ "ns::run(int*) const::{lambda()#11}::operator()() const",
		  "ns::run(int*) const::{lambda()#11}::operator()() const",
		  "ns::run(int*) const::{lambda()}::operator()#11",
		  "run::{lambda()}::operator()#11" },
		{ "ns::run(int*)::'lambda'(int)::operator()(int) const",
		  "ns::run(int*)::'lambda'(int)::operator()(int) const",
		  "ns::run(int*)::'lambda'(int)::operator()", "run::'lambda'::operator()" },
		{ "ns::run(int*)::'lambda0'(int)::operator()(int) const",
		  "ns::run(int*)::'lambda0'(int)::operator()(int) const",
		  "ns::run(int*)::'lambda'(int)::operator()#2", "run::'lambda'::operator()#2" },
		{ "void go<f()::{lambda()#1}, g::$_3>(f()::{lambda()#1})",
		  "void go<f()::{lambda()#1}, g::$_3>(f()::{lambda()#1})",
		  "go<f()::{lambda()}, g::$_>#1.4", "go" },
		{ "void go<f()::{lambda()#123456}, g()::{lambda()#1234567890}>(int)",
		  "void go<f()::{lambda()#123456}, g()::{lambda()#1234567890}>(int)",
		  "go<f()::{lambda()}, g()::{lambda()}>#xe4109ba5", "go" },
		{ "void go<f()::{lambda()#99999999999999999999}>(int)",
		  "void go<f()::{lambda()#99999999999999999999}>(int)",
		  "go<f()::{lambda()}>#xad69bf39", "go" },
		{ "void go<{unnamed type#1}>(int)", "void go<{unnamed type#1}>(int)",
		  "go<{unnamed type#1}>", "go" },
		{ "void <unnamed>::inner<ns::<unnamed>::T>(int)",
		  "void <unnamed>::inner<ns::<unnamed>::T>(int)", "inner<ns::T>", "inner" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

/* PyTorch's GELU by tanh and by erf are two lambdas of a function. */
TEST(gelu)
{
	static const char *const form[] = {
		"void at::native::vectorized_elementwise_kernel<4, "
		"at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::"
		"{lambda()#1}::operator()() const::{lambda()#3}::operator()() const::"
		"{lambda(c10::Half)#1}, std::array<char*, 2ul> >(int)",
		"void at::native::vectorized_elementwise_kernel<4, "
		"at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::"
		"{lambda()#2}::operator()() const::{lambda()#3}::operator()() const::"
		"{lambda(c10::Half)#1}, std::array<char*, 2ul> >(int)",
	};
	struct tm_buf b[2] = { { 0 }, { 0 } };

	for (int i = 0; i < 2; i++)
		CHECK(tm_kernel_name(&b[i], form[i], strlen(form[i]), TM_NAME_SHORT));
	CHECK(b[0].n > 6 && !strcmp(b[0].p + b[0].n - 6, "#1.3.1"));
	CHECK(b[1].n > 6 && !strcmp(b[1].p + b[1].n - 6, "#2.3.1"));
	CHECK(b[0].n == b[1].n && !memcmp(b[0].p, b[1].p, b[0].n - 6));
	tm_buf_fini(&b[0]);
	tm_buf_fini(&b[1]);
}

/* A launcher has the name of what it launches. */
TEST(launchers)
{
	static const struct row v[] = {
		{ "void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::Shape<64>, int>, "
		  "ck_tile::Args>(ck_tile::Args)",
		  "void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::Shape<64>, int>, "
		  "ck_tile::Args>(ck_tile::Args)",
		  "ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::Shape<64>, int>, "
		  "ck_tile::Args>",
		  "FmhaFwdKernel" },
		{ "void ck_tile::kentry<1, ck_tile::gfx950_t, ck_tile::GemmKernel<int>, int>(int)",
		  "void ck_tile::kentry<1, ck_tile::gfx950_t, ck_tile::GemmKernel<int>, int>(int)",
		  "ck_tile::kentry<1, ck_tile::gfx950_t, ck_tile::GemmKernel<int>, int>",
		  "GemmKernel" },
		{ "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(int)",
		  "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(int)",
		  "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>",
		  "cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4" },
		{ "void cutlass::device_kernel<ns::enable_sm90_or_later<g::GemmUniversal<int> > "
		  ">(int)",
		  "void cutlass::device_kernel<ns::enable_sm90_or_later<g::GemmUniversal<int> > "
		  ">(int)",
		  "cutlass::device_kernel<ns::enable_sm90_or_later<g::GemmUniversal<int> > >",
		  "GemmUniversal" },
		{ "void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<"
		  "app::Step<2>, Kokkos::RangePolicy<Kokkos::HIP>, Kokkos::HIP>, 1024u, 1u>(int)",
		  "void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<"
		  "app::Step<2>, Kokkos::RangePolicy<Kokkos::HIP>, Kokkos::HIP>, 1024u, 1u>(int)",
		  "Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<"
		  "app::Step<2>, Kokkos::RangePolicy<Kokkos::HIP>, Kokkos::HIP>, 1024u, 1u>",
		  "Step" },
		{ "void Kokkos::Impl::cuda_parallel_launch_constant_memory<Kokkos::Impl::"
		  "ParallelReduce<Kokkos::Impl::CombinedFunctorReducer<app::sum(int)::"
		  "{lambda(int, double&)#2}, int>, int> >()",
		  "void Kokkos::Impl::cuda_parallel_launch_constant_memory<Kokkos::Impl::"
		  "ParallelReduce<Kokkos::Impl::CombinedFunctorReducer<app::sum(int)::"
		  "{lambda(int, double&)#2}, int>, int> >()",
		  "Kokkos::Impl::cuda_parallel_launch_constant_memory<Kokkos::Impl::"
		  "ParallelReduce<Kokkos::Impl::CombinedFunctorReducer<app::sum(int)::"
		  "{lambda(int, double&)}, int>, int> >#2",
		  "sum::{lambda(int, double&)}#2" },
		/* nothing to launch */
		{ "void my::Kernel<float, 4>(int)", "void my::Kernel<float, 4>(int)",
		  "my::Kernel<float, 4>", "Kernel" },
		{ "void my::Kernel<true, std::tuple<int> >(int)",
		  "void my::Kernel<true, std::tuple<int> >(int)",
		  "my::Kernel<true, std::tuple<int> >", "Kernel" },
		{ "void kentry<>(int)", "void kentry<>(int)", "kentry<>", "kentry" },
		{ "kentry(int)", "kentry(int)", "kentry", "kentry" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

/* Declarations of template parameters, as compilers write them of late.  (What c++filt of LLVM 18
 * says.) */
TEST(declarations)
{
	static const struct row v[] = {
		{ "_Z4stepITnDaLi1EEvv", "void step<1>()", "step<1>", "step" },
		{ "_Z4stepITnDaLi5EfEvPT0_.kd", "void step<5, float>(float*)", "step<5, float>",
		  "step" },
		{ "_Z4pickIiTnNSt9enable_ifIXgtstT_Li2EEiE4typeELi0EfEvPS2_PT1_",
		  "void pick<int, 0, float>(std::enable_if<((sizeof (int))>(2)), int>*, float*)",
		  "pick<int, 0, float>", "pick" },
		{ "_ZN3sim3actIN2ns1TETnPFT_RKS3_EXadL_ZNS_4siluIS2_EES3_S5_EEEEvPS3_",
		  "void sim::act<ns::T, &(ns::T sim::silu<ns::T>(ns::T const&))>(ns::T*)",
		  "sim::act<ns::T, &(ns::T sim::silu<ns::T>(ns::T const&))>", "act" },
		{ "_Z3mapITtTyE3VeciEvPT0_", "void map<Vec, int>(int*)", "map<Vec, int>", "map" },
		{ "_Z3bigITk8IntegraliEvPT_", "void big<int>(int*)", "big<int>", "big" },
		{ "_Z4packITpTnDaJLi1ELi2EEEvv", "void pack<1, 2>()", "pack<1, 2>", "pack" },
		{ "_Z4wrapITnPFivEXadL_Z1gvEEEvv", "void wrap<&(g())>()", "wrap<&(g())>", "wrap" },
		/* broken ones stay */
		{ "_Z4stepITnDaLi1EvvTn", "_Z4stepITnDaLi1EvvTn", "_Z4stepITnDaLi1EvvTn",
		  "_Z4stepITnDaLi1EvvTn" },
		{ "_Z4stepITn", "_Z4stepITn", "_Z4stepITn", "_Z4stepITn" },
		{ "_Z4stepITnJLi@EiLi1EEEvv", "_Z4stepITnJLi@EiLi1EEEvv",
		  "_Z4stepITnJLi@EiLi1EEEvv", "_Z4stepITnJLi@EiLi1EEEvv" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

TEST(mangled)
{
	static const struct row v[] = {
		{ "_ZN3sim4stepIfLi4EEEvPT_", "void sim::step<float, 4>(float*)",
		  "sim::step<float, 4>", "step" },
		{ "_ZN5aiter24fp8gemm_blockscale_64x96E", "aiter::fp8gemm_blockscale_64x96",
		  "aiter::fp8gemm_blockscale_64x96", "fp8gemm_blockscale_64x96" },
		{ "_ZN12_GLOBAL__N_14workEDF16_", "(anonymous namespace)::work(_Float16)", "work",
		  "work" },
		{ "_ZZ3runPiENKUliE_clEi.kd", "run(int*)::{lambda(int)#1}::operator()(int) const",
		  "run(int*)::{lambda(int)}::operator()", "run::{lambda(int)}::operator()" },
		{ "_Zbroken", "_Zbroken", "_Zbroken", "_Zbroken" },
		{ "_ZN3simE<(", "_ZN3simE<(", "_ZN3simE<(", "_ZN3simE<(" },
	};

	check_rows(v, sizeof v / sizeof *v);
}

/* Composable Kernel writes every tuning choice into template arguments: symbols of several
 * kilobytes, which __cxa_demangle refuses. */
TEST(long_ck_names)
{
	struct tm_buf a = { 0 }, b = { 0 };
	static const char *const tile[] = { "128", "64" };
	const char *name;

	for (int which = 0; which < 2; which++) {
		tm_buf_clear(&a);
		tm_buf_str(&a, "_ZN2ck16kernel_gemm_xdl_INS_8GridwiseI");
		for (int i = 0; i < 150; i++)
			tm_buf_str(&a, "NS_8SequenceIJLi4ELi64ELi1EEEE");
		tm_buf_fmt(&a, "Li%sEEEEEvPKT_", tile[which]);
		CHECK(a.n > 4000 && a.n < TM_DEMANGLE_MAX_IN);
		name = at(a.p, a.n, TM_NAME_SHORT);
		CHECK(strncmp(name, "ck::kernel_gemm_xdl_<ck::Gridwise<ck::Sequence<4, 64, 1>,",
		              57) == 0);
		CHECK_STR(at(a.p, a.n, TM_NAME_BASE), "kernel_gemm_xdl_");
		if (which == 0)
			tm_buf_str(&b, name);
	}
	CHECK(b.n > 3000 && strcmp(b.p, at(a.p, a.n, TM_NAME_SHORT)) != 0);
	tm_buf_fini(&a);
	tm_buf_fini(&b);
}

/* What does not balance, or is no function, is left alone. */
TEST(hostile_names)
{
	static const char *const same[] = {
		"f<int",
		"f(int",
		"f>int",
		"f)int(",
		"a<(b>)",
		"f{(})",
		"void f<(",
		"(((((",
		")))))",
		"<<<<<",
		"[",
		"f(int]",
		"int (*f(int))(float)",
		"f<'lambda0",
		"$_",
		"operator(",
		"operator<",
		"a::",
		"(int)",
		"f (int)",
		"'lambda",
		"{",
		"operator x",
		"ROCPRIM_1",
		"#1}",
		"\x80\xff",
	};
	static const char nul[] = "ab\0cd";
	static const char wild[] = "\0\x01\xff::<>(){}[]'#$_ operator\"";
	struct tm_buf b = { 0 };

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		check_rows(&(struct row) { same[i], same[i], same[i],
		                           at(same[i], strlen(same[i]), TM_NAME_BASE) },
		           1);
	for (enum tm_name_level l = TM_NAME_FULL; l <= TM_NAME_BASE; l++) {
		tm_buf_clear(&b);
		CHECK(tm_kernel_name(&b, nul, 5, l));
		CHECK(b.n == 5 && memcmp(b.p, nul, 5) == 0);
		/* all short texts of these bytes: nothing is read after the end */
		for (size_t from = 0; from < sizeof wild - 1; from++)
			for (size_t n = 0; from + n < sizeof wild; n++) {
				char *copy = malloc(n ? n : 1);

				tm_buf_clear(&b);
				if (!copy)
					break;
				memcpy(copy, wild + from, n);
				CHECK(tm_kernel_name(&b, copy, n, l));
				free(copy);
			}
	}
	tm_buf_fini(&b);
}

/* 512 KiB of the same piece, at all levels, soon. */
TEST(huge_names)
{
	static const char *const piece[] = {
		"a",
		"<",
		"(",
		")",
		">",
		"::",
		"f<",
		"f(",
		"a::",
		"{lambda(",
		"operator ",
		"operator<",
		"(anonymous namespace)::",
		"1",
		"$_0",
		"#1}",
		"ROCPRIM_1_",
		"'lambda0'",
		" ",
		".kd",
		"\"",
		"_Z",
		"a b(",
		" const",
		"operator(",
		"ROCPRIM_1_NS::",
		"f()::",
		"CUB_11111",
		")#1",
		"_1",
		"\xc3",
		"operator x,",
	};
	char *s = malloc(HUGE_NAME);
	double start = seconds();

	CHECK(s != NULL);
	for (size_t i = 0; s && i < sizeof piece / sizeof *piece; i++) {
		size_t w = strlen(piece[i]);

		for (size_t k = 0; k < HUGE_NAME; k++)
			s[k] = piece[i][k % w];
		for (enum tm_name_level l = TM_NAME_FULL; l <= TM_NAME_BASE; l++)
			at(s, HUGE_NAME, l);
	}
	if (s) {
		/* well-formed: void f<a::a::...>(int) */
		for (size_t k = 0; k < HUGE_NAME; k++)
			s[k] = "a::"[k % 3];
		memcpy(s, "void f<", 7);
		memcpy(s + HUGE_NAME - 8, "b>(int) ", 8);
		CHECK_STR(at(s, HUGE_NAME - 1, TM_NAME_BASE), "f");
		memcpy(s, "triton_", 7);
		memset(s + 7, '_', HUGE_NAME - 7);
		s[HUGE_NAME - 1] = '4';
		CHECK_U64(strlen(at(s, HUGE_NAME, TM_NAME_SHORT)), HUGE_NAME - 2);
	}
	/* about a hundred names of 512 KiB */
	CHECK(seconds() - start < 10 * SOON);
	free(s);
}

/* "_Z1f" + unit n times + mid + close n times, not longer than `max`, demangled. */
static bool nested(const char *head, const char *unit, const char *mid, const char *close, size_t n,
                   size_t max)
{
	struct tm_buf in = { 0 }, out = { 0 };
	double start = seconds();
	bool ok;

	tm_buf_str(&in, head);
	for (size_t i = 0; i < n; i++)
		tm_buf_str(&in, unit);
	tm_buf_str(&in, mid);
	for (size_t i = 0; i < n; i++)
		tm_buf_str(&in, close);
	CHECK(!in.failed);
	ok = tm_demangle(&out, in.p, in.n < max ? in.n : max);
	CHECK(!out.failed && out.n <= TM_DEMANGLE_MAX_OUT && ok == (out.n > 0));
	CHECK(seconds() - start < SOON);
	tm_buf_fini(&in);
	tm_buf_fini(&out);
	return ok;
}

/* The symbol of substitution number i: S_, S0_ ... S9_, SA_ ... */
static void add_sub(struct tm_buf *b, unsigned i)
{
	static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char t[8];
	size_t n = sizeof t;

	if (i > 0)
		for (i--, t[--n] = digit[i % 36]; i >= 36; t[--n] = digit[i % 36])
			i /= 36;
	tm_buf_chr(b, 'S');
	tm_buf_add(b, t + n, sizeof t - n);
	tm_buf_chr(b, '_');
}

/* head + a<int, int> and n types that each hold the one before twice + tail; `first` is the number
 * of the substitution that "a" becomes. */
static void doubling(struct tm_buf *b, const char *head, unsigned first, unsigned n,
                     const char *tail)
{
	tm_buf_str(b, head);
	tm_buf_str(b, "1aIiiE");
	for (unsigned i = 1; i <= n; i++) {
		add_sub(b, first);
		tm_buf_chr(b, 'I');
		add_sub(b, first + i);
		add_sub(b, first + i);
		tm_buf_chr(b, 'E');
	}
	if (tail) {
		add_sub(b, first + n + 1);
		tm_buf_str(b, tail);
	}
}

/* Length of the demangled symbol in `b`, 0 = left as it is; it must not take long. */
static size_t length_of(const struct tm_buf *b)
{
	struct tm_buf out = { 0 };
	double start = seconds();
	bool ok = tm_demangle(&out, b->p, b->n);
	size_t n = out.n;

	CHECK(!out.failed && ok == (n > 0));
	CHECK(seconds() - start < SOON);
	tm_buf_fini(&out);
	return n;
}

TEST(bombs)
{
	static const unsigned steps[] = { 20, 24, 60, 500, 900 };
	struct tm_buf b = { 0 };
	size_t n, before = 0;

	/* Each step doubles the name: that is seen first, then that 2^20 ... 2^900 end at once. */
	for (unsigned i = 1; i <= 14; i++, before = n) {
		tm_buf_clear(&b);
		doubling(&b, "_Z1f", 0, i, NULL);
		n = length_of(&b);
		CHECK(i < 3 || (n > before * 19 / 10 && n < before * 3));
	}
	CHECK(n > 500000);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		tm_buf_clear(&b);
		doubling(&b, "_Z1f", 0, steps[i], NULL);
		CHECK_U64(length_of(&b), 0);
		/* the library searches this for a parameter pack before it prints a byte */
		tm_buf_clear(&b);
		doubling(&b, "_Z1fIiEvDp1cI", 2, steps[i], "E");
		CHECK_U64(length_of(&b), 0);
	}
	tm_buf_clear(&b);
	doubling(&b, "_Z1fIiEvDp1cI", 2, 4, "E");
	CHECK(length_of(&b) > 500); /* the same shape, small, is a name */

	/* conversion operators in template arguments double the reading */
	CHECK(!nested("_Z", "N1AcvT_ILZ", "1fE", "EEE", 20, SIZE_MAX));
	CHECK(!nested("_Z", "N1AcvT_ILZ", "1fE", "EEE", 1000, SIZE_MAX));

	/* n templates and n references to parameters: n * n entries on the library's stack */
	for (unsigned k = 20; k <= 900; k += 880) {
		tm_buf_clear(&b);
		tm_buf_str(&b, "_Z1fI");
		for (unsigned i = 0; i < k; i++)
			tm_buf_str(&b, "1aIiE");
		tm_buf_str(&b, "EvRT_");
		for (unsigned i = 0; i + 1 < k; i++)
			tm_buf_fmt(&b, "RT%u_", i);
		CHECK_U64(length_of(&b) > 0, k == 20);
	}
	/* long packs, many times */
	CHECK(nested("_Z1fIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEv", "DpT_", "", "", 200,
	             SIZE_MAX));
	/* a fixed-point type below a pack expansion is a wild pointer in the library */
	CHECK(!nested("_Z1fIiEvDpDF16sDF16_", "", "", "", 0, SIZE_MAX));
	tm_buf_fini(&b);
}

/* The deepest symbols of every kind of nesting, on whatever stack this runs. */
static void *deepest(void *arg)
{
	static const char *const kind[][4] = {
		{ "_Z1f", "P", "i", "" },         { "_Z1f", "1aI", "i", "E" },
		{ "_Z1f", "PF", "v", "E" },       { "_Z1f", "N1a", "", "E" },
		{ "_Z1fIX", "ng", "T_", "EE" },   { "_Z1f", "A_", "i", "" },
		{ "_Z1f", "M", "i", "i" },        { "_Z", "Z", "1fv", "Ev" },
		{ "_Z1fI", "L_Z1gI", "", "" },    { "_Z1f", "Dp", "i", "" },
		{ "_Z1f", "Ul", "v", "E_" },      { "_Z1f", "U1a", "i", "" },
		{ "_Z1fIX", "cvPF", "", "" },     { "_Z1fIX", "il", "", "E" },
		{ "_Z1fIX", "cv1aIX", "", "" },   { "_Z1fIX", "srN1aI", "", "" },
		{ "_Z", "GTt", "", "" },          { "_Z1f", "DT", "i", "E" },
		{ "_Z1f", "J", "i", "E" },        { "_Z1fIX", "plLi1E", "Li1E", "EE" },
		{ "_Z1fI", "TnDa", "i", "E" },    { "_Z1fI", "Tp", "TnDaLi1E", "E" },
		{ "_Z1fI", "Tt", "Ty", "E" },     { "_Z1fI", "Tn1aI", "i", "Li1EE" },
		{ "_Z1fI", "TnPF", "v", "E" },    { "_Z1fIXTnDa", "cl", "", "E" },
		{ "_Z1fI", "TnDTng", "T_", "E" }, { "_Z1fIUl", "Tp", "Ty", "E" },
	};

	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		CHECK(!nested(kind[i][0], kind[i][1], kind[i][2], kind[i][3], TM_DEMANGLE_MAX_IN,
		              TM_DEMANGLE_MAX_IN));
	/* half of it nests properly */
	CHECK(!nested("_Z1f", "1aI", "i", "E", 4000, SIZE_MAX));
	CHECK(nested("_Z1f", "1aI", "i", "E", 400, SIZE_MAX));
	return arg;
}

TEST(deep_nesting)
{
	pthread_attr_t attr;
	pthread_t t;

	deepest(NULL);
	CHECK(pthread_attr_init(&attr) == 0);
	CHECK(pthread_attr_setstacksize(&attr, (size_t)8 << 20) == 0);
	CHECK(pthread_create(&t, &attr, deepest, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	pthread_attr_destroy(&attr);
}

TEST(demangle_contract)
{
	struct tm_buf b = { 0 };
	char *s = malloc(TM_DEMANGLE_MAX_IN + 16);

	CHECK(!tm_demangle(&b, "", 0) && !tm_demangle(&b, "f", 1) && !tm_demangle(&b, "_Z", 2));
	CHECK(!tm_demangle(&b, "main", 4) && !tm_demangle(&b, "_Z3fo", 5));
	CHECK(!tm_demangle(&b, "_Z1f\0i", 6) && !tm_demangle(&b, "i", 1));
	CHECK_U64(b.n, 0);
	tm_buf_str(&b, "x ");
	CHECK(tm_demangle(&b, "_Z1fvjunk", 5));
	CHECK_STR(b.p, "x f()");
	CHECK(!tm_demangle(&b, "_Z1fvjunk", 9));
	CHECK_STR(b.p, "x f()");
	tm_buf_clear(&b);
	CHECK(s != NULL);
	if (s) {
		/* an identifier that just fits, and one byte more */
		size_t n = (size_t)snprintf(s, 32, "_Z%zu", TM_DEMANGLE_MAX_IN - 7);

		memset(s + n, 'k', TM_DEMANGLE_MAX_IN + 16 - n);
		CHECK(tm_demangle(&b, s, TM_DEMANGLE_MAX_IN));
		CHECK_U64(b.n, TM_DEMANGLE_MAX_IN - 7);
		CHECK(!tm_demangle(&b, s, TM_DEMANGLE_MAX_IN + 1));
	}
	b.failed = true;
	CHECK(!tm_demangle(&b, "_Z1fv", 5));
	CHECK(!tm_kernel_name(&b, "f", 1, TM_NAME_SHORT));
	free(s);
	tm_buf_fini(&b);
}

TEST_MAIN(T(plain_names), T(decoration), T(functions), T(operators), T(lambdas), T(gelu),
          T(launchers), T(declarations), T(mangled), T(long_ck_names), T(hostile_names),
          T(huge_names), T(bombs), T(deep_nesting), T(demangle_contract))
