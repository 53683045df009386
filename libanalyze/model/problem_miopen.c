/* SPDX-License-Identifier: MIT
 * Calls of MIOpen, as its driver would make them: convolutions in one spelling; of the other
 * operations the words only. */
#include "model/problem_parts.h"

#include <string.h>

static const struct {
	const char *letter, *name, *dflt;
} conv[PF_FIELDS - PF_CONV_FIRST] = {
#define CONV(id, letter_, name_, dflt_)                                                            \
	[PF_##id - PF_CONV_FIRST] = { .letter = letter_, .name = name_, .dflt = dflt_ },
#include "schemas/problem.def"
};

enum { FORWARD = 1, BACKWARD = 2, WEIGHTS = 4, ALL = 7 };

static bool same(const char *word, const char *s, size_t n)
{
	return *word && strlen(word) == n && !memcmp(word, s, n);
}

/* The driver's word without its type: "conv" of "convfp16", and the type; NULL = the word has none.
 */
static const char *driver_of(const struct tm_problem_fields *f, size_t *n, const char **type)
{
	static const struct {
		const char *suffix, *type;
	} types[] = {
#define DRIVER_TYPE(suffix_, type_) { .suffix = suffix_, .type = type_ },
#include "schemas/problem.def"
	};
	const char *word = problem_has(f, PF_DRIVER) ? problem_text(f, f->v[PF_DRIVER]) : "";

	*n = problem_has(f, PF_DRIVER) ? f->v[PF_DRIVER].n : 0;
	*type = "f32_r";
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		size_t len = strlen(types[i].suffix);

		if (*n > len && !memcmp(word + *n - len, types[i].suffix, len)) {
			*n -= len;
			*type = types[i].type;
			break;
		}
	}
	return word;
}

static bool is_conv(const struct tm_problem_fields *f)
{
	const char *type;
	size_t n;
	const char *word = driver_of(f, &n, &type);

	return same("conv", word, n);
}

/* The long name of a letter of that driver; the letter itself where nobody knows it. */
static const char *long_name(const struct tm_problem_fields *f, const char *name, size_t *n)
{
	static const struct {
		const char *driver, *letter, *name;
	} letters[] = {
#define LETTER(driver_, letter_, name_) { .driver = driver_, .letter = letter_, .name = name_ },
#include "schemas/problem.def"
	};
	const char *type;
	size_t ndriver;
	const char *driver = driver_of(f, &ndriver, &type);

	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
		if (same(letters[i].driver, driver, ndriver) && same(letters[i].letter, name, *n)) {
			*n = strlen(letters[i].name);
			return letters[i].name;
		}
	return name;
}

bool tm_miopen_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                   size_t nvalue)
{
	static const struct {
		const char *letter, *name;
	} settings[] = {
#define DRIVER_SETTING(letter_, name_) { .letter = letter_, .name = name_ },
#include "schemas/problem.def"
	};
	struct tm_problem_fields *f = p->fields;
	const char *full = name;
	size_t nfull = nname;

	for (size_t i = 1; is_conv(f) && i < sizeof conv / sizeof *conv; i++)
		if (same(conv[i].letter, name, nname) || same(conv[i].name, name, nname)) {
			tm_problem_set(f, (enum problem_field)(PF_CONV_FIRST + i), value, nvalue);
			return true;
		}
	full = long_name(f, name, &nfull);
	/* bnorm's -s saves, others' searches. */
	for (size_t i = 0; full == name && i < sizeof settings / sizeof *settings; i++)
		if (same(settings[i].letter, name, nname) || same(settings[i].name, name, nname)) {
			tm_problem_keep(f, &f->settings, settings[i].name, strlen(settings[i].name),
			                value, nvalue);
			return true;
		}
	if (is_conv(f))
		return false;
	tm_problem_keep(f, &f->others, full, nfull, value, nvalue);
	return true;
}

/* ---- convolutions ---- */

/* A convolution with up to three dimensions, in the order of their letters: d, h, w. */
struct conv {
	struct tm_problem *p;
	struct tm_problem_fields *f;
	unsigned dims; /* 2 or 3 */
	unsigned directions;
	bool transposed;
};

static struct amount number(const struct conv *c, enum problem_field id)
{
	struct amount a = { 0 };
	uint64_t v;

	if (tm_problem_number(c->f, id, &v))
		a = (struct amount) { .v = v, .known = true };
	return a;
}

/* The field of dimension i of those that count, of a run of three. */
static enum problem_field of_dim(const struct conv *c, enum problem_field d, unsigned i)
{
	return (enum problem_field)(d + (3 - c->dims) + i);
}

static void put_value(const struct conv *c, struct tm_buf *b, enum problem_field id)
{
	tm_problem_put_number(b, c->f, c->f->v[id]);
}

/* "56x56" of a run of three. */
static void put_run(const struct conv *c, struct tm_buf *b, enum problem_field d)
{
	for (unsigned i = 0; i < c->dims; i++) {
		if (i)
			tm_buf_chr(b, 'x');
		put_value(c, b, of_dim(c, d, i));
	}
}

static bool is_usual(const struct conv *c, enum problem_field id)
{
	return tm_problem_is(c->f, id, conv[id - PF_CONV_FIRST].dflt);
}

static void put_unusual_run(const struct conv *c, struct tm_buf *b, const char *word,
                            enum problem_field d)
{
	bool usual = true;

	for (unsigned i = 0; i < c->dims; i++)
		usual &= is_usual(c, of_dim(c, d, i));
	if (usual)
		return;
	tm_buf_fmt(b, " %s=", word);
	put_run(c, b, d);
}

static void put_unusual(const struct conv *c, struct tm_buf *b, enum problem_field id)
{
	if (is_usual(c, id))
		return;
	tm_buf_fmt(b, " %s=", conv[id - PF_CONV_FIRST].name);
	put_value(c, b, id);
}

/* NHWC for all three, or each that is not the usual one by its name. */
static void put_layouts(const struct conv *c, struct tm_buf *b)
{
	const char *usual = c->dims == 3 ? "NCDHW" : "NCHW";
	bool same_all = true;

	for (int id = PF_IN_LAYOUT; id <= PF_OUT_LAYOUT; id++) {
		struct problem_text t = c->f->v[PF_IN_LAYOUT], v = c->f->v[id];

		if (!v.n)
			tm_problem_set(c->f, (enum problem_field)id, usual, strlen(usual));
		t = c->f->v[PF_IN_LAYOUT];
		v = c->f->v[id];
		same_all &= !c->f->failed && t.n == v.n &&
		            !memcmp(problem_text(c->f, t), problem_text(c->f, v), v.n);
	}
	if (same_all && tm_problem_is(c->f, PF_IN_LAYOUT, usual))
		return;
	for (int id = PF_IN_LAYOUT; id <= (same_all ? PF_IN_LAYOUT : PF_OUT_LAYOUT); id++) {
		tm_buf_fmt(b, " %s=", same_all ? "layout" : conv[id - PF_CONV_FIRST].name);
		put_value(c, b, (enum problem_field)id);
	}
}

static void put_shape(const struct conv *c, struct tm_buf *b)
{
	put_value(c, b, PF_BATCHSIZE);
	tm_buf_chr(b, 'x');
	put_value(c, b, PF_IN_CHANNELS);
	tm_buf_chr(b, 'x');
	put_run(c, b, PF_IN_D);
	tm_buf_chr(b, ' ');
	put_value(c, b, PF_OUT_CHANNELS);
	tm_buf_chr(b, 'x');
	put_run(c, b, PF_FIL_D);
	put_unusual_run(c, b, "pad", PF_PAD_D);
	put_unusual_run(c, b, "stride", PF_CONV_STRIDE_D);
	put_unusual_run(c, b, "dilation", PF_DILATION_D);
	if (!is_usual(c, PF_GROUPS)) {
		tm_buf_str(b, " groups=");
		put_value(c, b, PF_GROUPS);
	}
	if (c->transposed)
		tm_buf_str(b, " trans");
	put_layouts(c, b);
	put_unusual(c, b, PF_PAD_MODE);
	put_unusual(c, b, PF_PAD_VALUE);
	put_unusual_run(c, b, "output_pad", PF_OUTPUT_PAD_D);
	for (int id = PF_CONV_BIAS; id <= PF_WEI_CAST; id++)
		put_unusual(c, b, (enum problem_field)id);
}

/* Length of the result in dimension i. */
static struct amount out_length(const struct conv *c, unsigned i)
{
	struct amount len = number(c, of_dim(c, PF_IN_D, i)),
	              fil = number(c, of_dim(c, PF_FIL_D, i)),
	              pad = number(c, of_dim(c, PF_PAD_D, i)),
	              step = number(c, of_dim(c, PF_CONV_STRIDE_D, i)),
	              dil = number(c, of_dim(c, PF_DILATION_D, i)),
	              extra = number(c, of_dim(c, PF_OUTPUT_PAD_D, i)), out = { 0 };
	const tm_u128 most = UINT32_MAX;
	tm_u128 reach;

	/* Larger ones are no tensor, and products of these cannot wrap. */
	if (!len.known || !fil.known || !pad.known || !step.known || !dil.known || !extra.known ||
	    len.v > most || fil.v > most || pad.v > most || step.v > most || dil.v > most ||
	    extra.v > most || !fil.v || !step.v || !len.v)
		return out;
	reach = dil.v * (fil.v - 1) + 1;
	if (c->transposed) {
		out.v = step.v * (len.v - 1) + reach + extra.v;
		out.known = out.v >= 2 * pad.v;
		out.v -= 2 * pad.v;
	} else if (len.v + 2 * pad.v >= reach) {
		out.v = (len.v + 2 * pad.v - reach) / step.v + 1;
		out.known = true;
	}
	return out;
}

static struct amount product_of_run(const struct conv *c, enum problem_field d)
{
	struct amount a = { .v = 1, .known = true };

	for (unsigned i = 0; i < c->dims; i++) {
		struct amount v = number(c, of_dim(c, d, i));

		a.known &= v.known;
		tm_amount_mul(&a, v.v);
	}
	return a;
}

static void times(struct amount *a, struct amount b)
{
	a->known &= b.known;
	tm_amount_mul(a, b.v);
}

/* Flops and bytes of one direction, times those that were asked for. */
static void work(const struct conv *c, unsigned bits)
{
	struct tm_problem *p = c->p;
	struct amount n = number(c, PF_BATCHSIZE), in_c = number(c, PF_IN_CHANNELS),
	              out_c = number(c, PF_OUT_CHANNELS), groups = number(c, PF_GROUPS),
	              in = product_of_run(c, PF_IN_D), out = { .v = 1, .known = true },
	              fil = product_of_run(c, PF_FIL_D), flops = { .v = 2, .known = true }, sum;
	unsigned ndirections = (c->directions & FORWARD) + (c->directions >> 1 & 1) +
	                       (c->directions >> 2 & 1);

	for (unsigned i = 0; i < c->dims; i++)
		times(&out, out_length(c, i));
	if (!groups.known || !groups.v || !in_c.known || !out_c.known || in_c.v % groups.v ||
	    out_c.v % groups.v || !is_usual(c, PF_PAD_MODE))
		return;
	times(&flops, n);
	times(&flops, in_c);
	times(&flops, out_c);
	times(&flops, fil);
	/* A transposed one is the other way round: each item of its input meets the filter. */
	times(&flops, c->transposed ? in : out);
	flops.v /= groups.v;
	tm_amount_mul(&flops, ndirections);
	p->has_flops = flops.known;
	p->flops = flops.v;

	sum = n;
	times(&sum, in_c);
	times(&sum, in);
	times(&out, n);
	times(&out, out_c);
	tm_amount_add(&sum, &out);
	times(&fil, in_c);
	times(&fil, out_c);
	fil.v /= groups.v;
	tm_amount_add(&sum, &fil);
	tm_amount_mul(&sum, ndirections);
	tm_amount_mul(&sum, bits);
	/* int8 may have results of 32 bits. */
	p->has_bytes = sum.known && bits >= 16 && is_usual(c, PF_OUT_CAST);
	p->bytes = sum.v / 8;
}

static const char *conv_finish(struct tm_problem *p, unsigned bits)
{
	static const char *const names[] = { "fwd", "bwd", "wrw" };
	struct conv c = { .p = p, .f = p->fields };
	struct tm_problem_fields *f = p->fields;
	uint64_t v;
	bool first = true;

	for (size_t i = 1; i < sizeof conv / sizeof *conv; i++) {
		enum problem_field id = (enum problem_field)(PF_CONV_FIRST + i);

		if (!problem_has(f, id) && !f->command)
			return "a size is missing";
		if (!problem_has(f, id))
			tm_problem_set(f, id, conv[i].dflt, strlen(conv[i].dflt));
	}
	if (f->failed)
		return NULL;
	if (!tm_problem_number(f, PF_SPATIAL, &v) || (v != 2 && v != 3))
		return "spatial_dim is neither 2 nor 3";
	c.dims = (unsigned)v;
	if (!tm_problem_number(f, PF_FORW, &v) || v > ALL)
		return "unknown direction";
	c.directions = v ? (unsigned)v : ALL;
	c.transposed = tm_problem_is(f, PF_MODE, "trans");
	tm_buf_str(&p->op, "conv_");
	for (unsigned i = 0; i < 3; i++)
		if (c.directions >> i & 1) {
			tm_buf_fmt(&p->op, "%s%s", first ? "" : "+", names[i]);
			first = false;
		}
	put_shape(&c, &p->shape);
	if (!c.transposed && !is_usual(&c, PF_MODE))
		put_unusual(&c, &p->shape, PF_MODE);
	tm_problem_move(f, &f->settings, &f->others);
	if (!f->failed)
		work(&c, bits);
	return NULL;
}

const char *tm_miopen_finish(struct tm_problem *p)
{
	struct tm_problem_fields *f = p->fields;
	const char *type;
	size_t n;
	const char *word = driver_of(f, &n, &type);
	bool is_complex;

	if (!n)
		return "no operation";
	tm_buf_str(&p->types, type);
	if (is_conv(f))
		return conv_finish(p, tm_problem_type_bits(type, strlen(type), &is_complex));
	tm_buf_add(&p->op, word, n);
	tm_problem_put_pairs(&p->shape, f, &f->others);
	return NULL;
}
