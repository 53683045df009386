/* SPDX-License-Identifier: MIT */
#include "model/kernel_facts.h"

#include <string.h>

/* A name, or what is left of it. */
struct text {
	const char *p;
	size_t n;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool begins(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.n >= n && !memcmp(t.p, word, n);
}

static struct text skip(struct text t, size_t n)
{
	return (struct text) { t.p + n, t.n - n };
}

/* What is after the first of these words; .p NULL = it is not there. */
static struct text behind(struct text t, const char *word)
{
	const char *at = t.n ? memmem(t.p, t.n, word, strlen(word)) : NULL;

	if (!at)
		return (struct text) { NULL, 0 };
	return skip(t, (size_t)(at - t.p) + strlen(word));
}

static bool holds(struct text t, const char *word)
{
	return behind(t, word).p != NULL;
}

/* A number of at most seven digits at the front, which goes; false when there is none. */
static bool number(struct text *t, uint64_t *v)
{
	size_t n = 0;
	uint64_t x = 0;

	while (n < t->n && n < 8 && is_digit(t->p[n]))
		x = 10 * x + (uint64_t)(t->p[n++] - '0');
	if (!n || n == 8)
		return false;
	*v = x;
	*t = skip(*t, n);
	return true;
}

/* "128x64" or "128x64x32" at the front, with what stands between the numbers. */
static void take_tile(struct text t, const char *between, struct tm_kernel_facts *f)
{
	uint64_t v[3] = { 0 };
	unsigned i = 0;

	if (!t.p)
		return;
	while (i < 3 && number(&t, &v[i])) {
		i++;
		if (!begins(t, between))
			break;
		t = skip(t, strlen(between));
	}
	if (i < 2 || !v[0] || !v[1])
		return;
	f->m = v[0];
	f->n = v[1];
	f->k = v[2];
}

/* The value of a parameter of Tensile: its capitals after an underscore, digits, and then no
 * letter. */
static bool parameter(struct text t, const char *word, uint64_t *v)
{
	while ((t = behind(t, word)).p) {
		struct text u = t;

		if (number(&u, v) && (!u.n || !is_word(*u.p)))
			return true;
	}
	return false;
}

/* ---- Tensile ---- */

/* Type codes, longer ones before those that they begin with. */
static const struct {
	const char *code, *type;
} tensile_types[] = {
	{ "4xi8", "i8" }, { "F8", "f8" }, { "B8", "f8" }, { "I8", "i8" }, { "I64", "i64" },
	{ "I", "i32" },   { "S", "f32" }, { "D", "f64" }, { "H", "f16" }, { "B", "bf16" },
	{ "X", "xf32" },  { "C", "c32" }, { "Z", "c64" },
};

static void tensile_type(struct text t, struct tm_kernel_facts *f)
{
	for (size_t i = 0; i < sizeof tensile_types / sizeof *tensile_types; i++)
		if (begins(t, tensile_types[i].code)) {
			f->type = tensile_types[i].type;
			return;
		}
}

static void tensile(struct text t, struct tm_kernel_facts *f)
{
	struct text params, u;
	uint64_t v;

	f->library = "tensile";
	/* A<indices>_B<indices>_, then the types. */
	u = behind(behind(t, "_"), "_");
	if (begins(t, "A") && u.p)
		tensile_type(u, f);
	params = behind(t, "_MT");
	take_tile(params, "x", f);
	if (f->type && !strcmp(f->type, "f32") && holds(t, "_MX_"))
		f->type = "xf32";
	u = behind(params, "_MI");
	if (u.p && number(&u, &v) && begins(u, "x"))
		f->instruction = !parameter(params, "_ISA", &v) ? "matrix"
		                 : v >= 1000                    ? "wmma"
		                                                : "mfma";
	else if (parameter(params, "_TT", &v))
		f->instruction = "valu";
	if (parameter(params, "_GSU", &v) && v) {
		f->split_k = v;
		f->split = v > 1;
	}
	/* The kernel that adds up the parts of the one before. */
	if (parameter(t, "_PostGSU", &v) && v > 1) {
		f->split_k = v;
		f->split = true;
	}
	if (parameter(params, "_SK", &v))
		f->stream_k = v ? "yes" : "no";
}

/* ---- Composable Kernel ---- */

/* The type that an argument of a template is, without its namespaces; NULL for any other. */
static const char *type_of(struct text t)
{
	static const struct {
		const char *word, *type;
	} types[] = {
		{ "_Float16", "f16" },  { "half_t", "f16" },
		{ "fp16_t", "f16" },    { "Half", "f16" },
		{ "bhalf_t", "bf16" },  { "bf16_t", "bf16" },
		{ "ushort", "bf16" },   { "unsigned short", "bf16" },
		{ "BFloat16", "bf16" }, { "__hip_bfloat16", "bf16" },
		{ "f8_fnuz_t", "f8" },  { "fp8_t", "f8" },
		{ "_BitInt(8)", "f8" }, { "signed char", "i8" },
		{ "int8_t", "i8" },     { "float", "f32" },
		{ "double", "f64" },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		size_t n = strlen(types[i].word);

		if (t.n >= n && !memcmp(t.p + t.n - n, types[i].word, n) &&
		    (t.n == n || t.p[t.n - n - 1] == ':'))
			return types[i].type;
	}
	return NULL;
}

/* The type of the factors: the first argument of the template that is no layout. */
static const char *first_type(struct text t)
{
	while (t.n) {
		const char *end = memmem(t.p, t.n, ", ", 2);
		struct text one = { t.p, end ? (size_t)(end - t.p) : t.n };

		if (!holds(one, "tensor_layout::") && !holds(one, "Tuple<"))
			return type_of(one);
		t = skip(t, end ? one.n + 2 : t.n);
	}
	return NULL;
}

/* Threads, then the tile: the first run of four numbers at least. */
static void ck_tile_of(struct text t, struct tm_kernel_facts *f)
{
	while (t.n) {
		struct text u = t;
		uint64_t v[4];
		unsigned i = 0;

		while (i < 4 && number(&u, &v[i])) {
			i++;
			if (!begins(u, ", "))
				break;
			u = skip(u, 2);
		}
		if (i == 4) {
			f->m = v[1];
			f->n = v[2];
			f->k = v[3];
			return;
		}
		/* On to the next number that stands alone. */
		t = behind(t, ", ");
	}
}

static void ck(struct text t, struct tm_kernel_facts *f)
{
	struct text gemm = behind(t, "GridwiseGemm");

	f->library = "ck";
	f->instruction = holds(t, "_xdl") || holds(t, "Xdl")    ? "mfma"
	                 : holds(t, "wmma") || holds(t, "Wmma") ? "wmma"
	                 : holds(t, "_dl_") || holds(t, "_dpp") ? "valu"
	                                                        : NULL;
	f->type = first_type(behind(gemm, "<"));
	/* Parts are added up in memory. */
	f->split = holds(t, "InMemoryDataOperationEnum)1") || holds(t, "::AtomicAdd");
	/* The order of the numbers differs from family to family. */
	if (begins(gemm, "_xdl_cshuffle_v3"))
		ck_tile_of(gemm, f);
}

static void ck_tile(struct text t, struct tm_kernel_facts *f)
{
	struct text shape = behind(t, "TileGemmShape<");

	f->library = "ck_tile";
	f->type = first_type(behind(t, "PipelineProblem<"));
	if (!shape.p)
		shape = behind(t, "TileFmhaShape<");
	take_tile(behind(shape, "sequence<"), ", ", f);
	if (holds(t, "StreamK"))
		f->stream_k = "yes";
}

/* ---- others ---- */

/* The last "_MxN" of a name. */
static void last_tile(struct text t, struct tm_kernel_facts *f)
{
	while ((t = behind(t, "_")).p)
		if (t.n && is_digit(*t.p))
			take_tile(t, "x", f);
}

/* The type of an attention kernel: that of what it reads. */
static const char *attention_type(struct text t)
{
	return holds(t, "_bf16")   ? "bf16"
	       : holds(t, "_fp16") ? "f16"
	       : holds(t, "_fp8")  ? "f8"
	                           : NULL;
}

static void aiter(struct text t, struct tm_kernel_facts *f)
{
	f->library = "aiter";
	f->instruction = "mfma";
	f->type = begins(t, "f4gemm")                           ? "f4"
	          : begins(t, "bf16gemm")                       ? "bf16"
	          : begins(t, "f8gemm") || begins(t, "fp8gemm") ? "f8"
	          : begins(t, "i8gemm") || begins(t, "I8gemm")  ? "i8"
	          : begins(t, "fmha_")                          ? attention_type(t)
	                                                        : NULL;
	last_tile(t, f);
	f->split = holds(t, "splitk");
}

static void miopen(struct text t, struct tm_kernel_facts *f)
{
	f->library = "miopen";
	f->type = holds(t, "_fp32_")   ? "f32"
	          : holds(t, "_fp16_") ? "f16"
	          : holds(t, "_bf16_") ? "bf16"
	                               : NULL;
	if (holds(t, "_gtcx"))
		f->instruction = "mfma";
	take_tile(behind(t, "_bt"), "x", f);
}

/* Winograd in assembly, and convolutions of MIOpen without matrix instructions. */
static bool is_vector_conv(struct text t)
{
	static const char *const words[] = { "miopenSp3AsmConv", "ConvWinograd", "MIOpenConv",
		                             "naive_conv_" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(t, words[i]))
			return true;
	return false;
}

static void vector_conv(struct text t, struct tm_kernel_facts *f)
{
	miopen(t, f);
	f->instruction = "valu";
	f->m = f->n = f->k = 0;
}

static void triton(struct text t, struct tm_kernel_facts *f)
{
	struct text m = behind(t, "BLOCK_SIZE_M_"), n = behind(t, "BLOCK_SIZE_N_"),
	            k = behind(t, "BLOCK_SIZE_K_"), split = behind(t, "NUM_KSPLIT_");
	uint64_t v[3];

	f->library = "triton";
	if (number(&m, &v[0]) && number(&n, &v[1])) {
		f->m = v[0];
		f->n = v[1];
		if (number(&k, &v[2]))
			f->k = v[2];
	}
	if (split.p && number(&split, &v[0]) && v[0]) {
		f->split_k = v[0];
		f->split = v[0] > 1;
	}
}

/* The name of a function without what its templates and arguments are. */
static struct text own_name(struct text t)
{
	size_t n = 0;

	while (n < t.n && t.p[n] != '<' && t.p[n] != '(')
		n++;
	return (struct text) { t.p, n };
}

/* Families of aiter that are matrix work in assembly. */
static bool is_aiter(struct text t)
{
	static const char *const words[] = { "fmha_", "mla_", "pa_" };

	if (holds(t, "gemm_") || holds(t, "fmoe_"))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(t, words[i]) && !holds(t, "reduce"))
			return true;
	return false;
}

struct tm_kernel_facts tm_kernel_facts(const char *name, size_t len)
{
	struct text t = { name, len }, own = own_name(t), u;
	struct tm_kernel_facts f = { 0 };

	if ((u = behind(t, "Cijk_")).p) {
		tensile(u, &f);
	} else if (holds(own, "ck_tile::")) {
		ck_tile(t, &f);
	} else if (holds(own, "ck::")) {
		ck(t, &f);
	} else if ((u = behind(t, "igemm_")).p) {
		miopen(u, &f);
	} else if (is_vector_conv(t)) {
		vector_conv(t, &f);
	} else if ((u = behind(own, "aiter::")).p && is_aiter(u)) {
		aiter(u, &f);
	} else if (holds(t, "BLOCK_SIZE_M_")) {
		triton(t, &f);
	} else if (begins(t, "triton_tem_")) {
		f.library = "triton";
		f.instruction = "matrix";
	} else if (holds(own, "rocblas_gemv")) {
		f.library = "rocblas";
		f.instruction = "valu";
	}
	return f;
}

bool tm_kernel_persistent(const char *name, size_t len)
{
	static const char *const words[] = { "StreamK", "streamk", "stream_k", "Persistent",
		                             "persistent" };
	struct tm_kernel_facts f = tm_kernel_facts(name, len);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (holds((struct text) { name, len }, words[i]))
			return true;
	return f.stream_k && !strcmp(f.stream_k, "yes");
}
