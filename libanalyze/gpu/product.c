/* SPDX-License-Identifier: MIT */
#include "gpu/product.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum {
#define PRODUCT(id, name, words, gfx, cus, mhz, memory, xccs, l2, cache) AT_##id,
#include "schemas/products.def"
	PRODUCTS
};

static const struct tm_gpu_product products[PRODUCTS] = {
#define PRODUCT(id, n, w, g, c, m, b, x, l, k) { n, w, g, c, m, b, x, l, k },
#include "schemas/products.def"
};

static const struct {
	size_t at;
	uint64_t device;
} devices[] = {
#define DEVICE(id, d) { AT_##id, d },
#include "schemas/products.def"
};

static const char *const generic[] = {
#define GENERIC(text) text,
#include "schemas/products.def"
};

static const struct {
	uint64_t gfx;
	enum tm_gpu_type type;
	enum tm_gpu_unit unit;
	uint64_t n;
} peaks[] = {
#define PEAK(g, t, u, count) { g, TM_GPU_##t, TM_GPU_##u, count },
#include "schemas/peaks.def"
};

static const struct {
	size_t at;
	enum tm_gpu_type type;
	enum tm_gpu_unit unit;
	uint64_t tflops;
} reached[] = {
#define REACHED(id, t, u, count) { AT_##id, TM_GPU_##t, TM_GPU_##u, count },
#include "schemas/peaks.def"
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- which one ---- */

/* Could it be that product, or a part of it, from what else the trace says? */
static bool fits(const struct tm_gpu_product *p, const struct tm_gpu_seen *s)
{
	return (!s->gfx || s->gfx == p->gfx) && (!s->cus || !p->cus || s->cus <= p->cus);
}

static const struct tm_gpu_product *by_device(const struct tm_gpu_seen *s)
{
	for (size_t i = 0; s->device && i < COUNT(devices); i++)
		if (devices[i].device == s->device && fits(&products[devices[i].at], s))
			return &products[devices[i].at];
	return NULL;
}

/* Are those words in the text, in any case, and not as part of longer ones? */
static bool names(const char *text, size_t n, const char *words)
{
	size_t w = strlen(words);

	for (size_t i = 0; w <= n && i <= n - w; i++) {
		unsigned char next = i + w < n ? (unsigned char)text[i + w] : ' ';

		if (!strncasecmp(text + i, words, w) &&
		    (!i || !isalnum((unsigned char)text[i - 1])) && !isalnum(next) && next != '-')
			return true;
	}
	return false;
}

/* A driver names both of a pair ("MI250X/MI250"): then the compute units decide. */
static const struct tm_gpu_product *by_name(const struct tm_gpu_seen *s)
{
	const struct tm_gpu_product *one = NULL, *exact = NULL;
	size_t n = 0, nexact = 0;

	for (size_t i = 0; s->name && i < PRODUCTS; i++) {
		const struct tm_gpu_product *p = &products[i];

		if (!names(s->name, s->len, p->words) || !fits(p, s))
			continue;
		one = p;
		n++;
		if (s->cus && s->cus == p->cus) {
			exact = p;
			nexact++;
		}
	}
	return n == 1 ? one : nexact == 1 ? exact : NULL;
}

static const struct tm_gpu_product *by_numbers(const struct tm_gpu_seen *s)
{
	const struct tm_gpu_product *one = NULL;

	for (size_t i = 0; s->gfx && s->cus && i < PRODUCTS; i++) {
		const struct tm_gpu_product *p = &products[i];

		if (p->gfx != s->gfx || p->cus != s->cus || (s->mhz && p->mhz && s->mhz != p->mhz))
			continue;
		if (one)
			return NULL;
		one = p;
	}
	return one;
}

static bool is_generic(const struct tm_gpu_seen *s)
{
	for (size_t i = 0; i < COUNT(generic); i++)
		if (s->len == strlen(generic[i]) && !memcmp(s->name, generic[i], s->len))
			return true;
	return !s->name || !s->len;
}

const struct tm_gpu_product *tm_gpu_product(const struct tm_gpu_seen *s)
{
	const struct tm_gpu_product *p = by_device(s);

	if (!p)
		p = by_name(s);
	/* A name of its own that is not here is of another product. */
	if (!p && is_generic(s))
		p = by_numbers(s);
	return p;
}

bool tm_gpu_is_product(const char *name, struct tm_diag *d)
{
	const struct tm_gpu_seen seen = { .name = name, .len = strlen(name) };
	struct tm_buf all = { 0 };

	if (tm_gpu_product(&seen))
		return true;
	for (size_t i = 0; i < PRODUCTS; i++)
		tm_buf_fmt(&all, "%s%s", i ? ", " : "", products[i].name);
	tm_diag_set(d, 0, "--gpu: no peaks known for '%.40s'; known are %s", name,
	            all.failed ? "others" : all.p);
	tm_buf_fini(&all);
	return false;
}

const struct tm_gpu_product *tm_gpu_product_at(size_t i)
{
	return i < PRODUCTS ? &products[i] : NULL;
}

void tm_gpu_put_gfx(struct tm_buf *b, uint64_t v)
{
	tm_buf_fmt(b, "gfx%" PRIu64 "%" PRIx64 "%" PRIx64, v / 10000, v / 100 % 100, v % 100);
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool tm_gpu_gfx_parse(const char *text, uint64_t *gfx)
{
	size_t n = strlen(text);
	uint64_t major = 0;

	if (n < 6 || n > 7 || memcmp(text, "gfx", 3) != 0)
		return false;
	for (size_t i = 3; i < n - 2; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		major = 10 * major + (uint64_t)(text[i] - '0');
	}
	if (!major || hex_of(text[n - 2]) < 0 || hex_of(text[n - 1]) < 0)
		return false;
	*gfx = major * 10000 + (uint64_t)hex_of(text[n - 2]) * 100 + (uint64_t)hex_of(text[n - 1]);
	return true;
}

bool tm_gpu_put_name(struct tm_buf *b, const struct tm_gpu_seen *s)
{
	const struct tm_gpu_product *p = tm_gpu_product(s);

	if (p) {
		tm_buf_str(b, p->name);
		if (s->cus && s->cus < p->cus)
			tm_buf_fmt(b, " (%" PRIu64 " of %" PRIu64 " compute units)", s->cus,
			           p->cus);
	} else if (!is_generic(s)) {
		tm_buf_add(b, s->name, s->len);
	} else if (s->gfx) {
		tm_gpu_put_gfx(b, s->gfx);
	}
	return p || !is_generic(s) || s->gfx;
}

/* The architecture of all products of that version, with `cus` compute units where that is not 0; 0
 * when there is none, or several. */
static uint64_t only_gfx(uint64_t version, uint64_t cus)
{
	uint64_t gfx = 0;

	for (size_t i = 0; i < PRODUCTS; i++) {
		if (products[i].gfx / 100 != version || (cus && products[i].cus != cus))
			continue;
		if (gfx && gfx != products[i].gfx)
			return 0;
		gfx = products[i].gfx;
	}
	return gfx;
}

uint64_t tm_gpu_gfx_of(uint64_t major, uint64_t minor, uint64_t processors, uint64_t *cus)
{
	uint64_t n = major >= 10 ? 2 * processors : processors, gfx;

	if (!processors || processors > UINT16_MAX || major > 99 || minor > 99)
		return 0;
	gfx = only_gfx(major * 100 + minor, n);
	/* From gfx94 on a version has been one architecture, and may be a part of a product. */
	if (!gfx && major == 9 && minor >= 4)
		gfx = only_gfx(major * 100 + minor, 0);
	if (gfx)
		*cus = n;
	return gfx;
}

/* ---- how fast ---- */

const char *tm_gpu_type_text(enum tm_gpu_type type)
{
	static const char *const text[TM_GPU_TYPES] = {
		[TM_GPU_F64] = "f64",   [TM_GPU_F32] = "f32", [TM_GPU_XF32] = "xf32",
		[TM_GPU_F16] = "f16",   [TM_GPU_F8] = "f8",   [TM_GPU_F6] = "f6",
		[TM_GPU_BF16] = "bf16", [TM_GPU_F4] = "f4",   [TM_GPU_I8] = "i8",
		[TM_GPU_I4] = "i4",
	};

	return text[type];
}

const char *tm_gpu_unit_text(enum tm_gpu_unit unit)
{
	static const char *const text[TM_GPU_UNITS] = {
		[TM_GPU_VECTOR] = "vector",
		[TM_GPU_PACKED] = "vector, packed",
		[TM_GPU_MATRIX] = "matrix",
	};

	return text[unit];
}

uint64_t tm_gpu_rate(uint64_t gfx, enum tm_gpu_type type, enum tm_gpu_unit unit)
{
	for (size_t i = 0; i < COUNT(peaks); i++)
		if (peaks[i].gfx == gfx && peaks[i].type == type && peaks[i].unit == unit)
			return peaks[i].n;
	return 0;
}

bool tm_gpu_peak(const struct tm_gpu_seen *s, enum tm_gpu_type type, enum tm_gpu_unit unit,
                 uint64_t *mops)
{
	const struct tm_gpu_product *p = tm_gpu_product(s);
	uint64_t gfx = s->gfx ? s->gfx : p ? p->gfx : 0, cus = s->cus ? s->cus : p ? p->cus : 0;
	uint64_t mhz = s->mhz ? s->mhz : p ? p->mhz : 0;

	uint64_t rate = tm_gpu_rate(gfx, type, unit);

	if (!rate || !cus || !mhz || cus > UINT16_MAX || mhz > UINT16_MAX)
		return false;
	*mops = rate * cus * mhz;
	return true;
}

bool tm_gpu_reached(const struct tm_gpu_seen *s, enum tm_gpu_type type, enum tm_gpu_unit unit,
                    uint64_t *mops)
{
	const struct tm_gpu_product *p = tm_gpu_product(s);
	uint64_t cus = p && s->cus ? s->cus : p ? p->cus : 0;

	for (size_t i = 0; p && i < COUNT(reached); i++)
		if (&products[reached[i].at] == p && reached[i].type == type &&
		    reached[i].unit == unit) {
			*mops = reached[i].tflops * 1000000 * cus / p->cus;
			return true;
		}
	return false;
}

bool tm_gpu_memory(const struct tm_gpu_seen *s, double *gb_per_s)
{
	const struct tm_gpu_product *p = tm_gpu_product(s);

	if (!p || p->memory_gb_per_s <= 0)
		return false;
	*gb_per_s = p->memory_gb_per_s;
	if (s->cus && p->cus)
		*gb_per_s = *gb_per_s * (double)s->cus / (double)p->cus;
	return true;
}
