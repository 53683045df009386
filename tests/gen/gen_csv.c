/* SPDX-License-Identifier: MIT
 * gen_csv - a rocprofv3 kernel trace (or the HIP API trace of the same run) of any size, from a seed.
 *
 * A small model of a run, not random rows: host threads launch kernels of a Zipf-distributed set on
 * queues that work one dispatch after the other, and rows come out as dispatches complete, so they
 * are not sorted by start.  The same options give the same bytes on every machine: one PRNG, integer
 * arithmetic only, no libm, no locale, no clock.
 *
 * BYTES is always the size of the kernel trace of the run, so `--kind kernel` and `--kind hip` with
 * otherwise equal options describe one run and their correlation ids match. */

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum dialect { D62, D63, D70, DROCPD };
enum kind { KIND_KERNEL, KIND_HIP };

static struct {
	uint64_t bytes, seed, names, queues, agents, streams, rank;
	bool brief; /* --short */
	bool nasty; /* half of the rows have quotes, commas and newlines in the name */
	bool raw;   /* ... which stand unescaped, as rocprofv3 itself writes them */
	bool crlf;
	enum kind kind;
	enum dialect dialect;
} opt = { .seed = 42, .names = 320, .queues = 3, .agents = 1, .streams = 4, .dialect = D70 };

static void die(const char *what)
{
	fprintf(stderr, "gen_csv: %s\n", what);
	exit(2);
}

static void *alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		die("out of memory");
	return p;
}

/* ---- random numbers: xoshiro256**, seeded by splitmix64; public domain algorithms ---- */

struct rng {
	uint64_t s[4];
};

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		r->s[i] = z ^ z >> 31;
	}
}

static uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

/* 0 .. n-1, n below 2^32; the bias of 2^-32 does not matter here. */
static uint32_t below(struct rng *r, uint64_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* ---- text that grows ---- */

struct text {
	char *p;
	size_t n, cap;
};

static void text_mem(struct text *t, const char *p, size_t n)
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

static void text_str(struct text *t, const char *s)
{
	text_mem(t, s, strlen(s));
}

static void __attribute__((format(printf, 2, 3))) text_fmt(struct text *t, const char *fmt, ...)
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

/* ---- kernels: what of a row depends on the kernel only, ready to copy ---- */

enum { SHAPES = 4 };

struct kernel {
	struct text mid;          /* Kernel_Id,"Kernel_Name", */
	struct text tail[SHAPES]; /* columns after End_Timestamp, with the line end */
	uint32_t octave16;        /* log2 of the typical duration in ns, times 16 */
	uint32_t spread;          /* 1 .. 8: how much durations vary */
	uint32_t call;            /* which API call launches it: index in launch_calls */
};

static const char *const launch_calls[] = { "hipLaunchKernel", "hipModuleLaunchKernel",
	                                    "hipExtModuleLaunchKernel" };

static uint64_t fnv(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

/* A set of hashes of names: names must differ, and 64 bits tell them apart well enough. */
struct seen {
	uint64_t *v;
	size_t mask;
};

static bool seen_add(struct seen *s, uint64_t h)
{
	size_t i = h & s->mask;

	h |= 1;
	for (; s->v[i]; i = (i + 1) & s->mask)
		if (s->v[i] == h)
			return false;
	s->v[i] = h;
	return true;
}

static struct text new_name(uint64_t rank, bool nasty, struct rng *r, struct seen *seen)
{
	name_fn *const *family = opt.brief ? family_short : family_long;

	for (unsigned attempt = 0;; attempt++) {
		struct text t = { 0 };

		/* Small families run out of names: then take from the largest. */
		(attempt < 8                 ? family[rank % 24]
		 : opt.brief && attempt < 16 ? name_short
		                             : name_tensile)(&t, r);
		if (nasty)
			make_nasty(&t, r);
		if (seen_add(seen, fnv(t.p, t.n)))
			return t;
		free(t.p);
	}
}

static void kernel_tails(struct kernel *k, struct rng *r)
{
	unsigned lds = below(r, 2) ? 512 * below(r, 128) : 0;
	unsigned scratch = below(r, 12) ? 0 : 16 + 16 * below(r, 20);
	unsigned vgpr = 8 + 8 * below(r, 31);
	unsigned accum = below(r, 3) ? 0 : 4 + 4 * below(r, 63);
	unsigned sgpr = 16 + 16 * below(r, 7);
	bool flat = below(r, 4);
	unsigned x = flat ? 64U << below(r, 5) : 16, y = flat ? 1 : 16;

	for (int i = 0; i < SHAPES; i++) {
		unsigned magnitude = below(r, 14);
		unsigned groups_x = 1 + below(r, UINT64_C(1) << magnitude);
		unsigned groups_y = 1 + below(r, flat ? 3 : 64);
		unsigned groups_z = below(r, 4) ? 1 : 1 + below(r, 32);
		unsigned dynamic = 4 * below(r, 3);
		struct text *t = &k->tail[i];

		if (opt.dialect == D70 || opt.dialect == DROCPD)
			text_fmt(t, ",%u,%u,%u,%u,%u", lds, scratch, vgpr, accum, sgpr);
		else
			text_fmt(t, ",%u,%u", scratch, lds + dynamic);
		text_fmt(t, ",%u,%u,1,%u,%u,%u%s\n", x, y, x * groups_x, y * groups_y, groups_z,
		         opt.crlf ? "\r" : "");
	}
}

static struct kernel *make_kernels(void)
{
	struct kernel *v = alloc(opt.names, sizeof *v);
	uint32_t *id = alloc(opt.names, sizeof *id);
	struct seen seen = { .mask = 1 };
	uint64_t all = 0, bad = 0; /* weights: which part of the rows has nasty names so far */
	struct rng r;

	while (seen.mask < opt.names * 4)
		seen.mask *= 2;
	seen.v = alloc(seen.mask--, sizeof *seen.v);
	rng_init(&r, opt.seed);
	for (uint32_t i = 0; i < opt.names; i++) {
		uint32_t j = below(&r, i + 1);

		id[i] = id[j];
		id[j] = i;
	}
	for (uint32_t i = 0; i < opt.names; i++) {
		uint64_t weight = (UINT64_C(1) << 40) / (i + 1);
		bool nasty = opt.nasty && bad * 2 <= all;
		struct text name = new_name(i, nasty, &r, &seen);
		struct kernel *k = &v[i];

		all += weight;
		bad += nasty ? weight : 0;
		text_fmt(&k->mid, "%u,\"", 11 + 3 * id[i] + id[i] % 2);
		for (size_t c = 0; c < name.n; c++) {
			if (name.p[c] == '"' && !opt.raw)
				text_mem(&k->mid, "\"", 1);
			text_mem(&k->mid, name.p + c, 1);
		}
		text_str(&k->mid, "\",");
		free(name.p);
		kernel_tails(k, &r);
		k->octave16 = 16 * 11 + below(&r, 16 * 4) + (below(&r, 4) ? 0 : below(&r, 16 * 6));
		k->spread = 1 + below(&r, 3) + (below(&r, 8) ? 0 : 5);
		k->call = below(&r, 3);
	}
	free(seen.v);
	free(id);
	return v;
}

/* ---- Zipf, s = 1, by Walker's alias method in integers ---- */

struct zipf {
	uint32_t *keep; /* take i when a 32-bit random number is not above keep[i] */
	uint32_t *other;
	uint32_t n;
};

static void zipf_init(struct zipf *z, uint32_t n)
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

static uint32_t zipf_pick(const struct zipf *z, struct rng *r)
{
	uint64_t u = rng_next(r);
	uint32_t i = (uint32_t)((u >> 32) * z->n >> 32);

	return (uint32_t)u <= z->keep[i] ? i : z->other[i];
}

/* ---- output ---- */

static struct {
	char *p;
	size_t n, cap, row_max;
	bool drop; /* the other kind is wanted: count, do not write */
	uint64_t kernel_bytes;
} out;

static void out_flush(void)
{
	for (size_t at = 0; at < out.n;) {
		ssize_t n = write(STDOUT_FILENO, out.p + at, out.n - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die(strerror(errno));
		at += (size_t)n;
	}
	out.n = 0;
}

/* Room for one row, and where it goes. */
static char *out_row(void)
{
	if (out.cap - out.n < out.row_max)
		out_flush();
	return out.p + out.n;
}

static char *put(char *p, const struct text *t)
{
	memcpy(p, t->p, t->n);
	return p + t->n;
}

static char *put_u64(char *p, uint64_t v)
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

/* ---- the run ---- */

struct dispatch {
	const struct kernel *kernel;
	const struct text *head, *tail;
	uint64_t id, corr, start, end;
};

struct lane {                /* one queue of one agent */
	struct dispatch now; /* what it works on; completes at now.end */
	struct text *head;   /* row beginnings, one per stream that uses the queue */
	uint32_t *stream;
	uint32_t nstreams;
};

struct thread { /* one host thread per stream */
	uint64_t now;
	struct text ids; /* ,pid,tid, of its API rows */
};

struct run {
	struct rng r;
	struct zipf zipf;
	struct kernel *kernel;
	struct lane *lane;
	uint32_t nlanes;
	struct thread *thread;
	uint64_t corr, ids;
	struct dispatch held; /* a row that waits to come out of order; kernel NULL = none */
};

static void emit_dispatch(const struct dispatch *d)
{
	char *from = out_row(), *p = put(from, d->head);

	if (opt.dialect != D62) {
		p = put_u64(p, d->id);
		*p++ = ',';
	}
	p = put(p, &d->kernel->mid);
	p = put_u64(p, d->corr);
	*p++ = ',';
	p = put_u64(p, d->start);
	*p++ = ',';
	p = put_u64(p, d->end);
	p = put(p, d->tail);
	out.kernel_bytes += (size_t)(p - from);
	out.n += out.drop ? 0 : (size_t)(p - from);
}

/* One API call of a thread; takes a correlation id whether its row is wanted or not. */
static uint64_t api_call(struct run *g, struct thread *t, const char *function, uint64_t until)
{
	uint64_t corr = ++g->corr;
	char *p;

	if (opt.kind == KIND_HIP) {
		bool old = opt.dialect == D62 || opt.dialect == D63;
		const char *domain = old ? "\"HIP_RUNTIME_API\",\"" : "\"HIP_RUNTIME_API_EXT\",\"";

		p = out_row();
		p = stpcpy(stpcpy(stpcpy(p, domain), function), "\"");
		p = put_u64(put(p, &t->ids), corr);
		*p++ = ',';
		p = put_u64(p, t->now);
		*p++ = ',';
		p = stpcpy(put_u64(p, until), opt.crlf ? "\r\n" : "\n");
		out.n = (size_t)(p - out.p);
	}
	t->now = until + 80;
	return corr;
}

/* Like a log-normal, without libm: typical * 2^(z/16), z a sum of fair coins (popcount) around 0
 * times the spread, and fine noise below a sixteenth of an octave. */
static uint64_t duration(const struct kernel *k, struct rng *r)
{
	/* 2^(i/16) * 65536 */
	static const uint32_t root[16] = { 65536,  68438,  71468,  74632, 77936,  81386,
		                           84990,  88752,  92682,  96785, 101070, 105545,
		                           110218, 115098, 120194, 125515 };
	uint64_t u = rng_next(r), w = rng_next(r), v;
	int64_t e = (int64_t)k->octave16 + (__builtin_popcountll(u) - 32) * (int64_t)k->spread;

	if ((w & 0xffff) == 0)
		e += 16 *
		     7; /* now and then a first touch or a page fault: a hundred times longer */
	e = e < 16 * 8 ? 16 * 8 : e > 16 * 36 ? 16 * 36 : e;
	v = ((uint64_t)root[e % 16] << (e / 16)) >> 16;
	return v + ((v * (w >> 40 & 0xffff)) >> 20);
}

static void launch(struct run *g, struct lane *l)
{
	static const char *const idle_calls[] = { "hipSetDevice",
		                                  "hipGetLastError",
		                                  "hipGetDevice",
		                                  "hipEventRecord",
		                                  "__hipPushCallConfiguration",
		                                  "__hipPopCallConfiguration",
		                                  "hipEventQuery",
		                                  "hipPeekAtLastError" };
	uint64_t u = rng_next(&g->r), ready = l->now.end, begin;
	uint32_t which = l->nstreams > 1 ? (uint32_t)(u >> 48) % l->nstreams : 0;
	struct thread *t = &g->thread[l->stream[which]];
	struct dispatch *d = &l->now;

	for (unsigned n = u & 3; n; n--)
		api_call(g, t, idle_calls[u >> (8 + 3 * n) & 7],
		         t->now + 90 + (u >> (10 * n) & 511));
	if ((u >> 32 & 63) == 0) { /* the host waits for the queue */
		uint64_t until = (ready > t->now ? ready : t->now) + 2900;

		api_call(g, t, "hipStreamSynchronize", until);
	}
	d->kernel = &g->kernel[zipf_pick(&g->zipf, &g->r)];
	begin = t->now;
	d->corr = api_call(g, t, launch_calls[d->kernel->call], begin + 1700 + (u >> 40 & 4095));
	d->id = ++g->ids;
	d->head = &l->head[which];
	d->tail = &d->kernel->tail[u >> 60 & 3];
	/* Mostly a gap of about a microsecond; 1 in 64 starts just before the end of the one before, as
	 * device clocks show it. */
	d->start = (u >> 54 & 63) == 0 ? ready - 39 : ready + 600 + (u >> 20 & 1023);
	if (d->start < begin + 2500)
		d->start = begin + 2500 + (u >> 30 & 1023);
	d->end = d->start + duration(d->kernel, &g->r);
}

/* The lane whose dispatch completes next; rows come out in that order, but 1 in 128 one late. */
static void step(struct run *g, bool more)
{
	struct lane *l = NULL;

	for (uint32_t i = 0; i < g->nlanes; i++)
		if (g->lane[i].now.kernel && (!l || g->lane[i].now.end < l->now.end))
			l = &g->lane[i];
	if (l && !g->held.kernel && more && (rng_next(&g->r) & 127) == 0) {
		g->held = l->now;
	} else {
		if (l)
			emit_dispatch(&l->now);
		if (g->held.kernel)
			emit_dispatch(&g->held);
		g->held.kernel = NULL;
	}
	if (l && more)
		launch(g, l);
	else if (l)
		l->now.kernel = NULL;
}

static void lane_init(struct lane *l, uint32_t agent, uint32_t queue, uint64_t pid)
{
	uint32_t streams = (uint32_t)opt.streams;

	l->head = alloc(streams, sizeof *l->head);
	l->stream = alloc(streams, sizeof *l->stream);
	for (uint32_t s = 0; s < streams; s++) {
		struct text *t = &l->head[l->nstreams];
		uint64_t node = 1 + agent + opt.rank % 8 * opt.agents;

		if (s % opt.queues != queue && !(streams < opt.queues && s == queue % streams))
			continue;
		l->stream[l->nstreams++] = s;
		if (opt.dialect == DROCPD)
			text_fmt(t, "\"%08x-00d1-70d1-a5cb-%012llx\",", (unsigned)opt.rank + 25609,
			         (unsigned long long)pid * 52361);
		text_str(t, "\"KERNEL_DISPATCH\",");
		if (opt.dialect == D62)
			text_fmt(t, "%llu,%llu,", (unsigned long long)node,
			         139690710949888ULL + queue * 1572864ULL + agent * 67108864ULL);
		else if (opt.dialect == D63)
			text_fmt(t, "%llu,%u,%llu,", (unsigned long long)node, queue + 1,
			         (unsigned long long)(pid + 17 * s));
		else
			text_fmt(t, "\"Agent %llu\",%u,%u,%llu,", (unsigned long long)node,
			         queue + 1, s, (unsigned long long)(pid + 17 * s));
	}
}

static void write_header(void)
{
	static const char dims[] = "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
	                           "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"";
	static const char name[] = "\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_"
	                           "Timestamp\",\"End_Timestamp\"";
	static const char *const front[] = {
		[D62] = "\"Kind\",\"Agent_Id\",\"Queue_Id\"",
		[D63] = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\"",
		[D70] = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_"
		        "Id\"",
		[DROCPD] = "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_"
		           "Id\",\"Dispatch_Id\"",
	};
	static const char *const sizes[] = {
		[D62] = "\"Private_Segment_Size\",\"Group_Segment_Size\"",
		[D63] = "\"Private_Segment_Size\",\"Group_Segment_Size\"",
		[D70] = "\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\","
		        "\"SGPR_Count\"",
		[DROCPD] = "\"Lds_Block_Size\",\"Scratch_Size\",\"Vgpr_Count\",\"Accum_Vgpr_"
		           "Count\",\"Sgpr_Count\"",
	};
	struct text t = { 0 };

	if (opt.kind == KIND_HIP)
		text_str(&t,
		         "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\","
		         "\"Start_Timestamp\",\"End_Timestamp\"");
	else
		text_fmt(&t, "%s,%s,%s,%s", front[opt.dialect], name, sizes[opt.dialect], dims);
	text_str(&t, opt.crlf ? "\r\n" : "\n");
	out.n = (size_t)(put(out_row(), &t) - out.p);
	free(t.p);
}

static void simulate(void)
{
	static struct run g; /* static: lives as long as the process, nothing to free */
	uint64_t pid = 2659034 + 131 * opt.rank;
	/* Boot time of another host every eight ranks. */
	uint64_t base = UINT64_C(3219595902503262) + opt.rank / 8 * UINT64_C(950400000000000) +
	                opt.rank % 8 * 40961;

	g.nlanes = (uint32_t)(opt.agents * opt.queues);
	g.kernel = make_kernels();
	zipf_init(&g.zipf, (uint32_t)opt.names);
	rng_init(&g.r, opt.seed * 1000003 + opt.rank);
	g.thread = alloc(opt.streams, sizeof *g.thread);
	for (uint32_t s = 0; s < opt.streams; s++) {
		g.thread[s].now = base + 1000 * s;
		text_fmt(&g.thread[s].ids, ",%llu,%llu,", (unsigned long long)pid,
		         (unsigned long long)(pid + 17 * s));
	}
	for (uint32_t i = 0; i < opt.names; i++)
		if (out.row_max < g.kernel[i].mid.n)
			out.row_max = g.kernel[i].mid.n;
	out.row_max += 1024; /* head, numbers, tail; the header */
	out.cap = out.row_max + (1 << 20);
	out.p = alloc(out.cap, 1);
	out.drop = opt.kind == KIND_HIP;
	write_header();
	g.lane = alloc(g.nlanes, sizeof *g.lane);
	for (uint32_t i = 0; i < g.nlanes; i++) {
		lane_init(&g.lane[i], i / (uint32_t)opt.queues, i % (uint32_t)opt.queues, pid);
		g.lane[i].now.end = base;
		launch(&g, &g.lane[i]);
	}
	while (out.kernel_bytes < opt.bytes)
		step(&g, true);
	for (uint32_t i = 0; i <= g.nlanes; i++) /* what is still running completes */
		step(&g, false);
	out_flush();
}

/* ---- command line ---- */

static uint64_t number(const char *s, uint64_t lo, uint64_t hi, const char *what)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno || v < lo || v > hi) {
		fprintf(stderr, "gen_csv: %s: want a number from %llu to %llu, not '%s'\n", what,
		        (unsigned long long)lo, (unsigned long long)hi, s);
		exit(2);
	}
	return v;
}

static unsigned choice(const char *s, const char *const *list, unsigned n, const char *what)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(s, list[i]))
			return i;
	fprintf(stderr, "gen_csv: %s: unknown '%s'\n", what, s);
	exit(2);
}

static void usage(FILE *to)
{
	fputs("usage: gen_csv [options] BYTES > trace.csv\n"
	      "  --seed N        which run (42)\n"
	      "  --names N       distinct kernels (320)\n"
	      "  --short         short names, about 64 bytes instead of about 420\n"
	      "  --nasty         half of the rows have quotes, commas and newlines in the name, "
	      "escaped\n"
	      "  --raw           nasty names as rocprofv3 writes them: not escaped\n"
	      "  --queues N      queues of an agent (3)\n"
	      "  --agents N      agents (1)\n"
	      "  --streams N     HIP streams, one host thread each (4)\n"
	      "  --rank N        another process of the same job: pid, agents, clock (0)\n"
	      "  --kind K        kernel, or hip: the HIP API trace of the same run (kernel)\n"
	      "  --dialect D     6.2, 6.3, 7.0, or rocpd: what `rocpd convert -f csv` writes "
	      "(7.0)\n"
	      "  --crlf          lines end with CR LF\n"
	      "BYTES is the size of the kernel trace, whichever kind is written\n",
	      to);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "names", required_argument, NULL, 'n' },
		{ "short", no_argument, NULL, 'S' },
		{ "nasty", no_argument, NULL, 'N' },
		{ "raw", no_argument, NULL, 'R' },
		{ "queues", required_argument, NULL, 'q' },
		{ "agents", required_argument, NULL, 'a' },
		{ "streams", required_argument, NULL, 't' },
		{ "rank", required_argument, NULL, 'r' },
		{ "kind", required_argument, NULL, 'k' },
		{ "dialect", required_argument, NULL, 'd' },
		{ "crlf", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const kinds[] = { [KIND_KERNEL] = "kernel", [KIND_HIP] = "hip" };
	static const char *const dialects[] = {
		[D62] = "6.2", [D63] = "6.3", [D70] = "7.0", [DROCPD] = "rocpd"
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			opt.seed = number(optarg, 0, UINT64_MAX, "--seed");
			break;
		case 'n':
			opt.names = number(optarg, 1, 1000000, "--names");
			break;
		case 'S':
			opt.brief = true;
			break;
		case 'N':
			opt.nasty = true;
			break;
		case 'R':
			opt.raw = opt.nasty = true;
			break;
		case 'q':
			opt.queues = number(optarg, 1, 64, "--queues");
			break;
		case 'a':
			opt.agents = number(optarg, 1, 64, "--agents");
			break;
		case 't':
			opt.streams = number(optarg, 1, 256, "--streams");
			break;
		case 'r':
			opt.rank = number(optarg, 0, 100000, "--rank");
			break;
		case 'k':
			opt.kind = (enum kind)choice(optarg, kinds, 2, "--kind");
			break;
		case 'd':
			opt.dialect = (enum dialect)choice(optarg, dialects, 4, "--dialect");
			break;
		case 'c':
			opt.crlf = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (argc - optind != 1) {
		usage(stderr);
		return 2;
	}
	if (opt.kind == KIND_HIP && opt.dialect == DROCPD)
		die("rocpd has no HIP API table of this form; choose --dialect 7.0");
	opt.bytes = number(argv[optind], 0, UINT64_C(1) << 50, "BYTES");
	simulate();
	return 0;
}
