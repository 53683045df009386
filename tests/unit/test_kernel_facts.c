/* SPDX-License-Identifier: MIT
 * What names of matrix kernels say. */
#include "model/kernel_facts.h"

#include "test.h"

static char text[200];

/* "library type instruction MxNxK split stream-K", "-" for what is not said. */
static const char *facts(const char *name)
{
	struct tm_kernel_facts f = tm_kernel_facts(name, strlen(name));

	snprintf(text, sizeof text, "%s %s %s %" PRIu64 "x%" PRIu64 "x%" PRIu64 " %s%" PRIu64 " %s",
	         f.library ? f.library : "-", f.type ? f.type : "-",
	         f.instruction ? f.instruction : "-", f.m, f.n, f.k, f.split ? "split " : "",
	         f.split_k, f.stream_k ? f.stream_k : "-");
	return text;
}

TEST(tensile)
{
	CHECK_STR(facts("Cijk_Ailk_Bljk_BBS_BH_MT128x128x64_MI16x16x16x1_SN_1LDSA0_GSU1_GSUASB_"
	                "ISA942_WG32_8_1"),
	          "tensile bf16 mfma 128x128x64 1 -");
	CHECK_STR(facts("Cijk_Alik_Bljk_HHS_BH_MT64x32x32_MI16x16x16x1_SN_GSU4_ISA1100"),
	          "tensile f16 wmma 64x32x32 split 4 -");
	CHECK_STR(facts("Cijk_Ailk_Bljk_S_B_Bias_HA_S_SAV_UserArgs_MT128x112x16_MI16x16x1_SN_"
	                "GSUAMBSK_SK3_SKXCCM4"),
	          "tensile f32 matrix 128x112x16 0 yes");
	CHECK_STR(facts("Cijk_Ailk_Bljk_SB_MT64x64x8_SN_APM1_GSU1_SK0_TT4_4_ISA906"),
	          "tensile f32 valu 64x64x8 1 no");
	CHECK_STR(
	        facts("Cijk_Alik_Bljk_F8BS_BH_Bias_UserArgs_MT256x256x128_MI16x16x1_SN_SK0_ISA950"),
	        "tensile f8 mfma 256x256x128 0 no");
	CHECK_STR(facts("Cijk_Ailk_Bljk_S_MX_B_Bias_UserArgs_MT256x224x32_MI32x32x1_SN_ISA942"),
	          "tensile xf32 mfma 256x224x32 0 -");
	CHECK_STR(facts("Custom_Cijk_Ailk_Bjlk_4xi8II_BH_MT128x128x64_MI32x32x8x1_SN"),
	          "tensile i8 matrix 128x128x64 0 -");
	/* Shortened, and helpers. */
	CHECK_STR(facts("Cijk_Ailk_Bljk_HB_GB_MT64x64x16_SN_tail"), "tensile f16 - 64x64x16 0 -");
	CHECK_STR(facts("Cijk_SB_BiasS_HAS_ScaleAlphaVec_PostGSU16_VW4"),
	          "tensile - - 0x0x0 split 16 -");
	CHECK_STR(facts("Cijk_"), "tensile - - 0x0x0 0 -");
	CHECK_STR(facts("Cijk_Ailk_Bljk_HHS_BH_MT99999999x64x32"), "tensile f16 - 0x0x0 0 -");
	CHECK_STR(facts("Cijk_Ailk_Bljk_HHS_BH_MT64x"), "tensile f16 - 0x0x0 0 -");
}

TEST(others)
{
	CHECK_STR(facts("void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<ck::"
	                "tensor_layout::gemm::RowMajor, _Float16, _Float16, float, "
	                "(ck::tensor_operation::device::GemmSpecialization)0, 256, 128, 64, 32, 8, "
	                "8, 32, 32>, true>"),
	          "ck f16 mfma 128x64x32 0 -");
	CHECK_STR(facts("void ck::kernel_batched_gemm_dl_v1<ck::GridwiseGemmDl_km<float, 256, 128, "
	                "128, 16>>"),
	          "ck f32 valu 0x0x0 0 -");
	CHECK_STR(facts("void ck_tile::kentry<256, 2, ck_tile::StreamKKernel<ck_tile::"
	                "TileGemmShape<ck_tile::sequence<256, 128, 64>, ck_tile::sequence<2, 2, "
	                "1>>>>"),
	          "ck_tile - - 256x128x64 0 yes");
	CHECK_STR(facts("void ck_tile::kentry<256, 3, ck_tile::FmhaFwdKernel<ck_tile::"
	                "BlockFmhaPipelineProblem<ck_tile::bf16_t, float, float>>>"),
	          "ck_tile bf16 - 0x0x0 0 -");
	CHECK_STR(facts("void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemmMultiD_xdl_cshuffle_"
	                "v3<ck::tensor_layout::gemm::RowMajor, ck::Tuple<>, c10::BFloat16, double, "
	                "256, 16, 48, 160>>"),
	          "ck bf16 mfma 0x0x0 0 -");
	CHECK_STR(facts("void ck_tile::k<ck_tile::BlockPipelineProblem<Mine, float>>"),
	          "ck_tile - - 0x0x0 0 -");
	CHECK_STR(facts("aiter::f4gemm_bf16_per1x32Fp4_BpreShuffle_64x128"),
	          "aiter f4 mfma 64x128x0 0 -");
	CHECK_STR(facts("aiter::bf16gemm_fp32bf16_tn_128x64_bshuffle_splitk"),
	          "aiter bf16 mfma 128x64x0 split 0 -");
	CHECK_STR(facts("aiter::fp8gemm_bf16_blockscale_BpreShuffle_64x128_splitk_clean"),
	          "aiter f8 mfma 64x128x0 split 0 -");
	CHECK_STR(facts("igemm_bwd_gtcx3_nhwc_fp16_bx0_ex0_bt128x128x32_wt32x32x8_ws1x1"),
	          "miopen f16 mfma 128x128x32 0 -");
	CHECK_STR(facts("_gemm_a16w16_kernel_BLOCK_SIZE_M_64_BLOCK_SIZE_N_128_BLOCK_SIZE_K_32_"
	                "NUM_KSPLIT_4"),
	          "triton - - 64x128x32 split 4 -");
	/* Parts added up in memory are a split K; setting it says nothing. */
	CHECK_STR(facts("void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<ck::"
	                "tensor_layout::gemm::RowMajor, _Float16, _Float16, float, "
	                "(ck::tensor_operation::device::GemmSpecialization)0, 256, 128, 64, 32, 8, "
	                "8, 32, 32>, true, (ck::InMemoryDataOperationEnum)1, 2>"),
	          "ck f16 mfma 128x64x32 split 0 -");
	CHECK_STR(facts("void ck::kernel_gemm_wmma<ck::GridwiseGemm_Wmma<ushort, float, 256>, "
	                "(ck::InMemoryDataOperationEnum)0>"),
	          "ck bf16 wmma 0x0x0 0 -");
	CHECK_STR(facts("void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::"
	                "BlockFmhaPipelineProblem<ck_tile::half_t, float, ck_tile::TileFmhaShape<"
	                "ck_tile::sequence<128, 64, 32, 128, 32, 128>, ck_tile::sequence<4, 1, 1>"
	                ">>>>"),
	          "ck_tile f16 - 128x64x32 0 -");
	/* Whose types are among the arguments, is not whose kernel it is. */
	CHECK_STR(facts("void paged_attention_ll4mi_QKV_mfma16_kernel<__hip_bfloat16, "
	                "ck_tile::ComposedAttention<0u, false> >(float*)"),
	          "- - - 0x0x0 0 -");
	CHECK_STR(facts("aiter::fmha_fwd_hd128_bf16_rtz"), "aiter bf16 mfma 0x0x0 0 -");
	CHECK_STR(facts("aiter::pa_bf16_noquant_gqa8_1tg_4w"), "aiter - mfma 0x0x0 0 -");
	CHECK_STR(facts("void aiter::add_rmsnorm_quant_kernel<bf16, 64>(float*)"),
	          "- - - 0x0x0 0 -");
	CHECK_STR(facts("miopenSp3AsmConv_v30_3_1_gfx9_fp16_dot2_edc_f2x3_stride1"),
	          "miopen f16 valu 0x0x0 0 -");
	CHECK_STR(facts("naive_conv_nonpacked_wrw_nchw_half_double_half"),
	          "miopen - valu 0x0x0 0 -");
	CHECK_STR(facts("MIOpenConvUniC"), "miopen - valu 0x0x0 0 -");
	CHECK_STR(facts("triton_tem_fused_mm_3"), "triton - matrix 0x0x0 0 -");
	CHECK_STR(facts("triton_poi_fused_add_0"), "- - - 0x0x0 0 -");
	CHECK_STR(facts("void rocblas_gemvn_kernel<64, 16, long, float, float const*, float*>()"),
	          "rocblas - valu 0x0x0 0 -");
	CHECK_STR(facts("vecAdd(float*, int)"), "- - - 0x0x0 0 -");
	CHECK_STR(facts("aiter::add_rmsnorm_quant_kernel<_Float16, 64>"), "- - - 0x0x0 0 -");
	CHECK_STR(facts(""), "- - - 0x0x0 0 -");
}

TEST(persistent)
{
	static const char no[] = "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_SK0_SKXCCM4",
	                  yes[] = "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64_MI16x16x1_SN_SK3_SKXCCM4",
	                  word[] = "attn_fwd_persistent";

	CHECK(!tm_kernel_persistent(no, sizeof no - 1));
	CHECK(tm_kernel_persistent(yes, sizeof yes - 1));
	CHECK(tm_kernel_persistent(word, sizeof word - 1));
	CHECK(!tm_kernel_persistent("k", 1));
}

TEST_MAIN(T(tensile), T(others), T(persistent))
