/* SPDX-License-Identifier: MIT */
#include "tests/gen/model.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	exit(2);
}

void *alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		die("out of memory");
	return p;
}

void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		r->s[i] = z ^ z >> 31;
	}
}

/* ---- text that grows ---- */

void text_mem(struct text *t, const char *p, size_t n)
{
	if (t->cap - t->n <= n) {
		t->cap = (t->n + n + 64) * 2;
		t->p = realloc(t->p, t->cap);
		if (!t->p)
			die("out of memory");
	}
	memcpy(t->p + t->n, p, n);
	t->n += n;
	t->p[t->n] = '\0';
}

void text_str(struct text *t, const char *s)
{
	text_mem(t, s, strlen(s));
}

void __attribute__((format(printf, 2, 3))) text_fmt(struct text *t, const char *fmt, ...)
{
	char part[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(part, sizeof part, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof part)
		die("a part of a name is too long");
	text_mem(t, part, (size_t)n);
}

/* ---- kernel names: families after what ROCm programs launch, filled in at random ---- */

/* Left as they are: the formatter breaks the templates at every blank. */
/* clang-format off */

/* Templates, so that names are data and random numbers are drawn in the order of the text (that of
 * function arguments is the compiler's choice):
 *   [a|b|c]   one of these      [3..17]  a number from 3 to 17
 *   $s        a scalar type     $t       a tile size              $1  the text `sub` */
static const char scalar_types[] = "[float|c10::Half|c10::BFloat16|double|unsigned short|signed char|int|long]";
static const char tile_sizes[] = "[16|32|48|64|96|128|160|192|224|256]";

static void fill_choice(struct text *t, struct rng *r, const char *p, const char *end)
{
	const char *dots = strstr(p, "..");
	unsigned n = 1;

	if (dots && dots < end) {
		uint64_t lo = strtoull(p, NULL, 10), hi = strtoull(dots + 2, NULL, 10);

		text_fmt(t, "%llu", (unsigned long long)lo + below(r, hi - lo + 1));
		return;
	}
	for (const char *q = p; q < end; q++)
		n += *q == '|';
	for (n = below(r, n); n; n--)
		p = strchr(p, '|') + 1;
	text_mem(t, p, strcspn(p, "|]"));
}

static void fill(struct text *t, struct rng *r, const char *p, const struct text *sub)
{
	while (*p) {
		size_t plain = strcspn(p, "[$");

		text_mem(t, p, plain);
		p += plain;
		if (*p == '[') {
			const char *end = strchr(p, ']');

			fill_choice(t, r, p + 1, end);
			p = end + 1;
		} else if (*p == '$') {
			if (p[1] == '1')
				text_mem(t, sub->p, sub->n);
			else
				fill(t, r, p[1] == 's' ? scalar_types : tile_sizes, NULL);
			p += 2;
		}
	}
}

/* A template whose `inner` part, filled once, stands in it several times: types that come back as
 * the type of a parameter. */
static void fill_around(struct text *t, struct rng *r, const char *inner, const char *outer)
{
	struct text sub = { 0 };

	fill(&sub, r, inner, NULL);
	fill(t, r, outer, &sub);
	free(sub.p);
}

/* Tensile writes every solution parameter into the name: abbreviation and value. */
static void name_tensile(struct text *t, struct rng *r)
{
	fill(t, r,
	     "Cijk_[Ailk|Alik]_[Bljk|Bjlk]_[HHS_BH|BBS_BH|SB|F8BS_BH|I8I_BH|HSS_BH]_Bias_HA_S_SAV_UserArgs"
	     "_MT$tx$tx[16|32|64|128]_MI[16|32]x[16|32]x1_SN_LDSB[0..1]_AFC[0..1]_AFEM[1..8]_ASEM[1..32]"
	     "_CLR[0..1]_CADS[0..1]_DTLA[0..1]_DTLB[0..1]_DTVA[0..1]_DTVB[0..1]_EPS[0..1]_FDSI[0..1]"
	     "_GRPM[0..1]_GRVWA[1..8]_GRVWB[1..8]_GSU[0..4]_GLS[0..1]_ISA[906|908|942|950]_IU[0..1]_K[0..1]"
	     "_LBSPPA[0..2048]_LBSPPB[0..256]_LBSPPM0_LPA[0..16]_LPB[0..16]_LPM0_LRVW[1..8]_LWPMn1"
	     "_MIAV[0..1]_MIWT[1..8]_[1..8]_MO[20..40]_NTn1_NTA[0..4]_NTB[0..4]_NTC[0..4]_NTD[0..4]"
	     "_NEPBS[0..16]_NLCA[1..2]_NLCB[1..2]_ONLL[0..1]_PGR[0..2]_PLR[0..9]_PKA[0..1]_SIA[0..3]"
	     "_SS[0..1]_SPO[0..1]_SRVW[0..4]_SSO[0..1]_SVW[1..8]_SK[0..3]_SKXCCM[0..8]_TLDS[0..2]"
	     "_ULSGRO[0..1]_USL[0..1]_UIOFGRO[0..1]_USFGRO[0..1]_VSn[0..1]_VWA[1..8]_VWB[1..8]"
	     "_WSGRA[0..1]_WSGRB[0..1]_WS64_WG[8|16|32|64]_[2|4|8|16]_1",
	     NULL);
}

/* Composable Kernel: the type of the grid-wise operation, once as template argument and once as the
 * type of the parameter. */
static void name_ck(struct text *t, struct rng *r)
{
	fill_around(t, r,
		    "ck::GridwiseGemmMultiD_xdl_cshuffle_v3<ck::tensor_layout::gemm::[RowMajor|ColumnMajor], "
		    "ck::tensor_layout::gemm::[RowMajor|ColumnMajor], ck::Tuple<>, ck::tensor_layout::gemm::RowMajor, "
		    "$s, $s, $s, $s, ck::Tuple<>, $s, ck::tensor_operation::element_wise::[PassThrough|Scale], "
		    "ck::tensor_operation::element_wise::PassThrough, "
		    "ck::tensor_operation::element_wise::[PassThrough|AddRelu|FastGelu|MultiplyAdd], "
		    "(ck::tensor_operation::device::GemmSpecialization)[0..7], 256, $t, $t, $t, 8, 8, 32, 32, "
		    "[1..8], [1..8], ck::Sequence<[4|8|16|32], [16|32|64], 1>, ck::Sequence<1, 0, 2>, "
		    "ck::Sequence<1, 0, 2>, 2, 8, 8, false, 0, ck::Sequence<[4|8|16|32], [16|32|64], 1>, "
		    "ck::Sequence<1, 0, 2>, ck::Sequence<1, 0, 2>, 2, 8, 8, false, 0, 1, [1..4], "
		    "ck::Sequence<1, 32, 1, 8>, ck::Sequence<8>, (ck::BlockGemmPipelineScheduler)[0..1], "
		    "(ck::BlockGemmPipelineVersion)[0..4], $s, $s>",
		    "void ck::kernel_gemm_xdl_cshuffle_v3<$1, true, (ck::InMemoryDataOperationEnum)[0..1], "
		    "[1..2], (ck::TailNumber)[0..11]>($1::Argument)");
}

static void name_ck_tile(struct text *t, struct rng *r)
{
	fill(t, r,
	     "void ck_tile::kentry<256, [1..3], ck_tile::FmhaFwdKernel<ck_tile::BlockFmhaPipelineQRKSVSAsync<"
	     "ck_tile::BlockFmhaPipelineProblem<ck_tile::bf16_t, ck_tile::bf16_t, ck_tile::bf16_t, float, float, "
	     "ck_tile::bf16_t, unsigned char, float, ck_tile::TileFmhaShape<ck_tile::sequence<$t, $t, $t, $t>, "
	     "ck_tile::sequence<4, 1, 1>, ck_tile::sequence<32, 32, 16>, true>, [true|false], "
	     "ck_tile::SimplifiedGenericAttentionMask<[true|false]>, ck_tile::TileFmhaTraits<[true|false], "
	     "[true|false], true, true, (ck_tile::BlockAttentionBiasEnum)[0..2], false, [true|false], false, [1..3], "
	     "false> > >, ck_tile::Default2DEpilogue<ck_tile::Default2DEpilogueProblem<float, ck_tile::bf16_t, "
	     "true, true> > > >(ck_tile::FmhaFwdKernel<>::Kargs)",
	     NULL);
}

static void name_elementwise(struct text *t, struct rng *r)
{
	fill_around(t, r,
		    "at::native::[AUnaryFunctor|BUnaryFunctor|BinaryFunctor]<$s, $s, $s, at::native::binary_internal::"
		    "[MulFunctor|DivFunctor|MaximumFunctor|AddFunctor|BitwiseAndFunctor|CompareFunctor]<$s> >",
		    "void at::native::vectorized_elementwise_kernel<[2|4|8|16], $1, std::array<char*, [2..4]ul> >"
		    "(int, $1, std::array<char*, 3ul>)");
}

/* The lambda forms: every level of dispatch leaves its mark in the name. */
static void name_lambda(struct text *t, struct rng *r)
{
	fill_around(t, r,
		    "at::native::gpu_kernel_impl_nocast<at::native::[direct_copy_kernel_cuda|silu_kernel|where_kernel_impl|"
		    "masked_fill_kernel|clamp_scalar_kernel_impl](at::TensorIteratorBase&)::{lambda()#[1..4]}::operator()() "
		    "const::{lambda()#[1..13]}::operator()() const::{lambda($s)#1}>(at::TensorIteratorBase&, {lambda($s)#1} "
		    "const&)::{lambda(int)#[1..3]}",
		    "void at::native::elementwise_kernel_manual_unroll<128, [4|8], $1>(int, $1)");
}

static void name_reduce(struct text *t, struct rng *r)
{
	fill_around(t, r,
		    "at::native::ReduceOp<$s, at::native::[MeanOps|WelfordOps|NormTwoOps|ArgMaxOps|func_wrapper_t]"
		    "<$s, $s, $s, $s>, unsigned int, $s, [2|4], [2|4|8]>",
		    "void at::native::reduce_kernel<[128|256|512], [1..4], $1 >($1)");
}

static void name_miopen(struct text *t, struct rng *r)
{
	if (below(r, 2))
		fill(t, r,
		     "miopenSp3AsmConv_v[21..30]_[0..3]_[0..3]_[gfx9|gfx90a|gfx94x]_[fp32|fp16|bf16]_f[2..4]x[2..4]"
		     "_dilation[1..2]_group_stride[1..2]",
		     NULL);
	else
		fill(t, r,
		     "igemm_[fwd|bwd|wrw]_gtcx3_nhwc_[fp32|fp16|bf16]_bx[0..1]_ex[0..1]_bt$tx$tx[16|32]_wt32x32x8_ws1x1"
		     "_wr[1..4]x[1..4]_ta1x8x4x1_1x4x1x64_tb1x8x[1..4]x1_1x4x1x64_gkgs",
		     NULL);
}

static void zip_type(struct text *t, struct rng *r, unsigned depth)
{
	if (!depth) {
		fill(t, r, "thrust::detail::normal_iterator<thrust::device_ptr<$s> >", NULL);
		return;
	}
	text_str(t, "thrust::zip_iterator<thrust::tuple<");
	for (unsigned i = 0; i < 3; i++) {
		zip_type(t, r, depth - 1);
		text_str(t, ", ");
	}
	text_str(t, "thrust::null_type, thrust::null_type> >");
}

/* rocprim under thrust: iterator types of iterator types; the longest names there are, to 7 KB. */
static void name_rocprim(struct text *t, struct rng *r)
{
	struct text zip = { 0 };

	zip_type(&zip, r, below(r, 16) ? below(r, 3) : 3);
	fill(t, r,
	     "void rocprim::ROCPRIM_400000_NS::detail::trampoline_kernel<rocprim::ROCPRIM_400000_NS::detail::"
	     "[radix_sort_onesweep|lookback_scan|partition|segmented_reduce|merge_sort_block_merge|transform]_config<"
	     "rocprim::ROCPRIM_400000_NS::default_config, $s, $1>, hipError_t rocprim::ROCPRIM_400000_NS::detail::"
	     "[radix_sort|scan|partition|reduce|merge_sort]_impl<(bool)[0..1], $1, $s*, $s>(void*, unsigned long&, "
	     "unsigned long, ihipStream_t*, bool)::{lambda(auto)#[1..3]}>(rocprim::ROCPRIM_400000_NS::detail::"
	     "kernel_args)",
	     &zip);
	free(zip.p);
}

static void name_triton(struct text *t, struct rng *r)
{
	fill(t, r, "triton_[poi|red|per]_fused__to_copy", NULL);
	for (unsigned n = 2 + below(r, 5); n; n--)
		fill(t, r,
		     "_[add|mul|rsqrt|pow|mean|silu|sigmoid|cat|clone|sum|native_layer_norm|view|slice|embedding]",
		     NULL);
	fill(t, r, "_[0..199]", NULL);
}

static void name_vllm(struct text *t, struct rng *r)
{
	fill_around(t, r, "$s",
		    "void vllm::[rms_norm_kernel|fused_add_rms_norm_kernel|act_and_mul_kernel|rotary_embedding_kernel|"
		    "reshape_and_cache_flash_kernel|moe_align_block_size_kernel|dynamic_per_token_scaled_fp8_quant_kernel]"
		    "<$1, $s, [1|2|4|8|16|32]>($1*, $1 const*, $1 const*, float, int, int)");
}

static void name_nccl(struct text *t, struct rng *r)
{
	fill(t, r, "ncclDevKernel_Generic_[1..8](ncclDevKernelArgsStorage<4096ul>)", NULL);
}

static void name_blit(struct text *t, struct rng *r)
{
	fill(t, r, "__amd_rocclr_[copyBuffer|fillBufferAligned|copyBufferRect|copyBufferAligned|copyImage]", NULL);
}

/* What --truncate-kernels or hand-written programs leave. */
static void name_short(struct text *t, struct rng *r)
{
	if (below(r, 2))
		fill(t, r,
		     "Cijk_Ailk_Bljk_HHS_BH_MT$tx$tx[16|32|64|128]_MI16x16x1_SN_K1_SK[0..3]_WS64_WG[8|16|32]_[2|4|8]_1",
		     NULL);
	else
		fill(t, r,
		     "[layer_norm|softmax|attention_decode|stencil_update|spmv_csr|matmul_tiled|transpose|quantize_rows]"
		     "_kernel<$s, [32|64|128|256|512|1024]>($s const*, $s*, int)",
		     NULL);
}
/* clang-format on */

typedef void name_fn(struct text *, struct rng *);

/* Which family stands at which rank of use: fixed, so that the mean length of a name over the rows
 * hardly depends on the seed.  Repeats every 24 ranks. */
static name_fn *const family_long[24] = {
	name_tensile, name_elementwise, name_lambda,  name_tensile,     name_triton,  name_vllm,
	name_ck_tile, name_blit,        name_reduce,  name_elementwise, name_ck,      name_nccl,
	name_tensile, name_lambda,      name_rocprim, name_elementwise, name_triton,  name_miopen,
	name_tensile, name_reduce,      name_vllm,    name_rocprim,     name_tensile, name_triton,
};
static name_fn *const family_short[24] = {
	name_short, name_short,  name_triton, name_short, name_short, name_blit,
	name_short, name_miopen, name_nccl,   name_short, name_short, name_short,
	name_short, name_triton, name_short,  name_short, name_short, name_miopen,
	name_short, name_short,  name_short,  name_short, name_vllm,  name_short,
};

/* Put what breaks readers inside a name: quotes, commas, newlines, pieces of rows. */
static void make_nasty(struct text *t, struct rng *r)
{
	static const char *const bad[] = {
		"<\"a\">",
		"\"",
		"\"\"",
		"\",\"",
		"\n",
		"\",\n",
		"\n\"",
		",,,",
		"<char{'\"'}, char{','}>",
		"\"KERNEL_DISPATCH\",\"Agent 1\",1,0,",
		"\",1,2,3\n",
		"\\\"\\\\",
		"operator\"\"_\xc2\xb5s",
		"\t\n\n",
	};
	struct text out = { 0 };
	unsigned pieces = 1 + below(r, 4);
	size_t from = 0;

	for (unsigned i = 0; i < pieces; i++) {
		size_t at = from + below(r, t->n - from + 1);

		text_mem(&out, t->p + from, at - from);
		text_str(&out, bad[below(r, sizeof bad / sizeof *bad)]);
		from = at;
	}
	text_mem(&out, t->p + from, t->n - from);
	free(t->p);
	*t = out;
}

static uint64_t fnv(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

struct tm_seen seen_new(uint64_t n)
{
	struct tm_seen s = { .mask = 1 };

	while (s.mask < n * 4)
		s.mask *= 2;
	s.v = alloc(s.mask--, sizeof *s.v);
	return s;
}

static bool seen_add(struct tm_seen *s, uint64_t h)
{
	size_t i = h & s->mask;

	h |= 1;
	for (; s->v[i]; i = (i + 1) & s->mask)
		if (s->v[i] == h)
			return false;
	s->v[i] = h;
	return true;
}

struct text name_new(uint64_t rank, bool brief, bool nasty, struct rng *r, struct tm_seen *seen)
{
	name_fn *const *family = brief ? family_short : family_long;

	for (unsigned attempt = 0;; attempt++) {
		struct text t = { 0 };

		/* Small families run out of names: then take from the largest. */
		(attempt < 8             ? family[rank % 24]
		 : brief && attempt < 16 ? name_short
		                         : name_tensile)(&t, r);
		if (nasty)
			make_nasty(&t, r);
		if (seen_add(seen, fnv(t.p, t.n)))
			return t;
		free(t.p);
	}
}

/* ---- Zipf ---- */

void zipf_init(struct zipf *z, uint32_t n)
{
	uint64_t *p = alloc(n, sizeof *p), sum = 0;
	uint32_t *work = alloc(n, sizeof *work), small = 0, large = n;

	z->n = n;
	z->keep = alloc(n, sizeof *z->keep);
	z->other = alloc(n, sizeof *z->other);
	for (uint32_t i = 0; i < n; i++)
		sum += (UINT64_C(1) << 38) / (i + 1);
	for (uint32_t i = 0; i < n; i++) {
		p[i] = (UINT64_C(1) << 38) / (i + 1) * n;
		work[p[i] < sum ? small++ : --large] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		z->other[i] = i;
	while (small && large < n) {
		uint32_t s = work[--small], l = work[large];
		uint64_t keep = p[s] / ((sum >> 32) + 1);

		z->keep[s] = (uint32_t)(keep > UINT32_MAX ? UINT32_MAX : keep);
		z->other[s] = l;
		p[l] -= sum - p[s];
		if (p[l] < sum) {
			large++;
			work[small++] = l;
		}
	}
	while (large < n)
		z->keep[work[large++]] = UINT32_MAX;
	while (small)
		z->keep[work[--small]] = UINT32_MAX;
	free(work);
	free(p);
}

/* ---- durations and numbers ---- */

uint64_t duration(uint32_t octave16, uint32_t spread, struct rng *r)
{
	/* 2^(i/16) * 65536 */
	static const uint32_t root[16] = { 65536,  68438,  71468,  74632, 77936,  81386,
		                           84990,  88752,  92682,  96785, 101070, 105545,
		                           110218, 115098, 120194, 125515 };
	uint64_t u = rng_next(r), w = rng_next(r), v;
	int64_t e = (int64_t)octave16 + (__builtin_popcountll(u) - 32) * (int64_t)spread;

	if ((w & 0xffff) == 0)
		e += 16 *
		     7; /* now and then a first touch or a page fault: a hundred times longer */
	e = e < 16 * 8 ? 16 * 8 : e > 16 * 36 ? 16 * 36 : e;
	v = ((uint64_t)root[e % 16] << (e / 16)) >> 16;
	return v + ((v * (w >> 40 & 0xffff)) >> 20);
}

char *put_u64(char *p, uint64_t v)
{
	static const char two[] =
	        "0001020304050607080910111213141516171819202122232425262728293031323334"
	        "3536373839404142434445464748495051525354555657585960616263646566676869"
	        "707172737475767778798081828384858687888990919293949596979899";
	char tmp[20], *q = tmp + sizeof tmp;

	for (; v >= 100; v /= 100)
		memcpy(q -= 2, two + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(q -= 2, two + v * 2, 2);
	else
		*--q = (char)('0' + v);
	memcpy(p, q, (size_t)(tmp + sizeof tmp - q));
	return p + (tmp + sizeof tmp - q);
}

uint64_t number(const char *s, uint64_t lo, uint64_t hi, const char *what)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno || v < lo || v > hi) {
		fprintf(stderr, "%s: %s: want a number from %llu to %llu, not '%s'\n",
		        program_invocation_short_name, what, (unsigned long long)lo,
		        (unsigned long long)hi, s);
		exit(2);
	}
	return v;
}
