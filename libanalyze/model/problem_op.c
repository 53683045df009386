/* SPDX-License-Identifier: MIT */
#include "model/problem_op.h"

#include "base/base.h"
#include "model/problem_parts.h"

#include <inttypes.h>
#include <string.h>

enum { ITEMS_MAX = 64, DIMS_MAX = 8, ATYPE = -1, ITYPE = -2 };
enum form { MM, BATCH, LINEAR, VECTOR };
enum order { BHND, BNHD };

/* One input: its type and sizes, or its value. */
struct item {
	const char *p; /* the type: `n` bytes */
	size_t n;
	bool sized;
	unsigned ndim;
	uint64_t dim[DIMS_MAX];
};

/* All there is of a call; an input that is not there has n = 0. */
struct call {
	struct tm_op_work *w;
	struct item in[ITEMS_MAX], value[ITEMS_MAX];
	size_t nin, nvalue;
};

/* ---- the texts ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "[64,512]" into the item; false: something else. */
static bool read_dims(struct item *it, const char *p, size_t n)
{
	size_t i = 1;

	if (n < 2 || p[0] != '[' || p[n - 1] != ']')
		return false;
	it->ndim = 0;
	while (i < n - 1) {
		size_t from = i;

		while (i < n - 1 && is_digit(p[i]))
			i++;
		if (it->ndim == DIMS_MAX || !tm_num_u64(p + from, i - from, &it->dim[it->ndim]) ||
		    (i < n - 1 && (p[i] != ',' || i == n - 2)))
			return false;
		it->ndim++;
		i++;
	}
	it->sized = true;
	return true;
}

/* Cut "a[1,2], b[3], -" into items; how many, more than ITEMS_MAX are left out. */
static size_t split(struct item *v, const char *p, size_t n)
{
	size_t count = 0, from = 0, depth = 0;

	for (size_t i = 0; p && i <= n && count < ITEMS_MAX; i++) {
		struct item *it = &v[count];
		const char *bracket;

		depth += i < n && p[i] == '[';
		depth -= i < n && p[i] == ']' && depth;
		if (i < n && (p[i] != ',' || depth))
			continue;
		while (from < i && p[from] == ' ')
			from++;
		*it = (struct item) { .p = p + from, .n = i - from };
		bracket = it->n ? memchr(it->p, '[', it->n) : NULL;
		if (bracket && read_dims(it, bracket, (size_t)(it->p + it->n - bracket)))
			it->n = (size_t)(bracket - it->p);
		count++;
		from = i + 1;
	}
	return count;
}

/* A tensor with that many dimensions; NULL: there is none.  0 = any number from one on. */
static const struct item *tensor(const struct call *c, int at, unsigned ndim)
{
	const struct item *it = at >= 0 && (size_t)at < c->nin ? &c->in[at] : NULL;

	return it && it->sized && it->ndim && it->n && (!ndim || it->ndim == ndim) ? it : NULL;
}

/* "True" is 1 and "False" 0; -1 = not said. */
static int truth(const struct call *c, int at)
{
	const struct item *it = at >= 0 && (size_t)at < c->nvalue ? &c->value[at] : NULL;

	return !it                                        ? -1
	       : it->n == 4 && !memcmp(it->p, "True", 4)  ? 1
	       : it->n == 5 && !memcmp(it->p, "False", 5) ? 0
	                                                  : -1;
}

static bool whole(const struct call *c, int at, uint64_t *v)
{
	const struct item *it = at >= 0 && (size_t)at < c->nvalue ? &c->value[at] : NULL;

	return it && !it->sized && tm_num_u64(it->p, it->n, v);
}

/* Is it a number, and 0?  What a number may be, "0." is. */
static bool is_zero(const struct call *c, int at)
{
	const struct item *it = at >= 0 && (size_t)at < c->nvalue ? &c->value[at] : NULL;
	double v;

	return it && !it->sized && tm_num_real(it->p, it->n, &v) && v == 0;
}

/* A list of n numbers, or of one that stands for all. */
static bool list(const struct call *c, int at, unsigned n, uint64_t *v)
{
	const struct item *it = at >= 0 && (size_t)at < c->nvalue ? &c->value[at] : NULL;

	if (!it || !it->sized || it->n || (it->ndim != n && it->ndim != 1))
		return false;
	for (unsigned i = 0; i < n; i++)
		v[i] = it->dim[it->ndim == 1 ? 0 : i];
	return true;
}

static const char *type_of(const struct item *it)
{
	static const struct {
		const char *torch, *type;
	} types[] = {
#define TORCH_TYPE(torch_, type_) { torch_, type_ },
#include "schemas/torch_ops.def"
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].torch) == it->n && !memcmp(types[i].torch, it->p, it->n))
			return types[i].type;
	return NULL;
}

static void set_type(struct tm_op_work *w, const char *type)
{
	size_t n = strlen(type);

	if (n >= sizeof w->type)
		n = sizeof w->type - 1;
	memcpy(w->type, type, n);
	w->type[n] = 0;
}

/* ---- what a client of the library would be asked ---- */

/* The command in w->text into w->p, and its flops and bytes. */
static bool ask(struct tm_op_work *w, enum tm_op_how *how)
{
	struct tm_diag d = { 0 };
	enum tm_status st;

	if (w->text.failed)
		return false;
	st = tm_problem_parse(&w->p, TM_LIB_N, w->text.p, w->text.n, &d);
	if (st == TM_ST_FATAL)
		return false;
	*how = st == TM_ST_OK && w->p.has_flops ? TM_OP_WORK : TM_OP_UNCLEAR;
	w->flops = w->p.flops;
	w->has_bytes = w->p.has_bytes;
	w->bytes = w->p.bytes;
	return true;
}

/* ---- products of matrices ---- */

struct product {
	const char *name;
	enum form form;
	int a, b, c, out;
};

static const struct product products[] = {
#define PRODUCT(name_, form_, a_, b_, c_, out_)                                                    \
	{ .name = name_, .form = form_, .a = a_, .b = b_, .c = c_, .out = out_ },
#include "schemas/torch_ops.def"
};

/* M, N, K and batch as the operator has them; false: sizes do not fit. */
static bool sizes_of(const struct call *c, const struct product *o, uint64_t *m, uint64_t *n,
                     uint64_t *k, uint64_t *batch)
{
	static const unsigned dims[][2] = {
		[MM] = { 2, 2 }, [BATCH] = { 3, 3 }, [LINEAR] = { 0, 2 }, [VECTOR] = { 2, 1 }
	};
	const struct item *a = tensor(c, o->a, dims[o->form][0]),
	                  *b = tensor(c, o->b, dims[o->form][1]);
	unsigned skip = o->form == BATCH;

	if (!a || !b)
		return false;
	*batch = skip ? a->dim[0] : 1;
	*k = a->dim[a->ndim - 1];
	*m = 1;
	for (unsigned i = skip; i + 1 < a->ndim; i++)
		if (__builtin_mul_overflow(*m, a->dim[i], m))
			return false;
	*n = o->form == LINEAR ? b->dim[0] : o->form == VECTOR ? 1 : b->dim[skip + 1];
	return *k == (o->form == LINEAR ? b->dim[1] : b->dim[skip]) &&
	       (!skip || b->dim[0] == *batch);
}

/* The type of the result; NULL = not known. */
static const char *result_of(const struct call *c, const struct product *o, const char *type)
{
	static const struct {
		uint64_t number;
		const char *type;
	} numbers[] = {
#define TORCH_NUMBER(number_, type_) { number_, type_ },
#include "schemas/torch_ops.def"
	};
	uint64_t v;

	if (o->out < 0)
		return o->out == ITYPE ? "i32_r" : type;
	for (size_t i = 0; whole(c, o->out, &v) && i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].number == v)
			return numbers[i].type;
	return NULL;
}

/* What is added to the result is read once, however small it is and however often it is added. */
static void add_read(struct tm_op_work *w, const struct item *added)
{
	const char *type = type_of(added);
	struct amount bytes = { .v = 1, .known = type != NULL }, all = { w->bytes, true };
	bool is_complex;

	for (unsigned i = 0; i < added->ndim; i++)
		tm_amount_mul(&bytes, added->dim[i]);
	if (type)
		tm_amount_mul(&bytes, tm_problem_type_bits(type, strlen(type), &is_complex) / 8);
	tm_amount_add(&all, &bytes);
	w->has_bytes &= all.known;
	w->bytes = all.v;
}

static bool product(struct call *c, const struct product *o, enum tm_op_how *how)
{
	struct tm_op_work *w = c->w;
	const struct item *added = tensor(c, o->c, 0);
	const char *type, *other, *out;
	uint64_t m, n, k, batch;

	*how = TM_OP_UNCLEAR;
	if (!sizes_of(c, o, &m, &n, &k, &batch))
		return true;
	type = type_of(&c->in[o->a]);
	other = type_of(&c->in[o->b]);
	if (!type || !other)
		return true;
	out = result_of(c, o, type);
	/* Column-major: a and b change places. */
	tm_buf_fmt(&w->text,
	           "hipblaslt-bench --transA N --transB N -m %" PRIu64 " -n %" PRIu64 " -k %" PRIu64
	           " --batch_count %" PRIu64 " --a_type %s --b_type %s --c_type %s --d_type %s "
	           "--compute_type %s",
	           n, m, k, batch, other, type, out ? out : type, out ? out : type,
	           !strcmp(type, "i8_r")                          ? "i32_r"
	           : !strcmp(type, "f64_r") || strstr(type, "_c") ? type
	                                                          : "f32_r");
	if (!ask(w, how))
		return false;
	if (*how != TM_OP_WORK)
		return true;
	/* After the factors is its factor: with 0 it is not read. */
	if (added && !is_zero(c, o->b + 1))
		add_read(w, added);
	/* Of two types none is that of the work. */
	set_type(w, strcmp(type, other) != 0 ? "" : type);
	w->has_bytes &= out != NULL;
	w->is_product = true;
	w->m = n;
	w->n = m;
	w->k = k;
	w->batch = batch;
	tm_buf_fmt(&w->problem, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, m, k, n);
	if (batch != 1)
		tm_buf_fmt(&w->problem, " batch=%" PRIu64, batch);
	return !w->problem.failed;
}

/* ---- convolutions ---- */

struct conv_op {
	const char *name;
	int y, x, w, stride, padding, dilation, transposed, output_padding, groups, mask;
};

static const struct conv_op convs[] = {
#define CONV(name_, x_, w_, stride_, padding_, dilation_, transposed_, output_, groups_)           \
	{ name_, -1, x_, w_, stride_, padding_, dilation_, transposed_, output_, groups_, -1 },
#define CONV_BACK(name_, y_, x_, w_, stride_, padding_, dilation_, transposed_, output_, groups_,  \
                  mask_)                                                                           \
	{ name_, y_, x_, w_, stride_, padding_, dilation_, transposed_, output_, groups_, mask_ },
#include "schemas/torch_ops.def"
};

/* What the directions that are computed are to MIOpenDriver: 1 forward, 2 and 4 backward; 0 =
 * none, -1 = not known. */
static int directions_of(const struct call *c, const struct conv_op *o)
{
	const struct item *it = o->mask >= 0 && (size_t)o->mask < c->nvalue ? &c->value[o->mask]
	                                                                    : NULL;
	int v = 0;

	if (o->mask < 0)
		return 1;
	if (!it || it->n < 2 || it->p[0] != '[')
		return -1;
	for (size_t i = 1, bit = 2, from = 1; i < it->n && bit <= 4; i++) {
		if (it->p[i] != ',' && it->p[i] != ']')
			continue;
		if (i - from == 4 && !memcmp(it->p + from, "True", 4))
			v |= (int)bit;
		else if (i - from != 5 || memcmp(it->p + from, "False", 5) != 0)
			return -1;
		from = i + 1;
		bit *= 2;
	}
	return v;
}

/* A convolution's numbers, of up to three dimensions. */
struct conv_sizes {
	unsigned n; /* of dimensions */
	uint64_t stride[3], padding[3], dilation[3], output[3], groups;
	int transposed;
};

static bool conv_sizes(const struct call *c, const struct conv_op *o, unsigned n,
                       struct conv_sizes *s)
{
	*s = (struct conv_sizes) { .n = n };
	s->transposed = o->transposed < 0 ? 0 : truth(c, o->transposed);
	if (o->output_padding >= 0 && !list(c, o->output_padding, n, s->output))
		return false;
	return s->transposed >= 0 && list(c, o->stride, n, s->stride) &&
	       list(c, o->padding, n, s->padding) && list(c, o->dilation, n, s->dilation) &&
	       whole(c, o->groups, &s->groups) && s->groups;
}

/* Does a filter skip items of the input, so that bytes of all of it are not the least? */
static bool skips(const struct conv_sizes *s, const struct item *w)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->stride[i] > 1 &&
		    (tm_u128)s->dilation[i] * (w->dim[2 + i] - 1) + 1 < s->stride[i])
			return true;
	return false;
}

/* " -H 56 -W 56": the options of each dimension, of which a convolution of one has the last. */
static void put_dims(struct tm_buf *b, const char *const words[3], const uint64_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		tm_buf_fmt(b, " %s %" PRIu64, words[3 - n + i], v[i]);
}

static void put_conv(struct tm_buf *b, const struct item *x, const struct item *w,
                     const struct conv_sizes *s)
{
	static const char *const in[] = { "--in_d", "-H", "-W" },
	                         *const fil[] = { "--fil_d", "-y", "-x" },
	                         *const pad[] = { "--pad_d", "-p", "-q" },
	                         *const step[] = { "--conv_stride_d", "-u", "-v" },
	                         *const dil[] = { "--dilation_d", "-l", "-j" },
	                         *const more[] = { "--trans_output_pad_d", "--trans_output_pad_h",
		                                   "--trans_output_pad_w" };
	const uint64_t out = s->transposed ? w->dim[1] * s->groups : w->dim[0];

	tm_buf_fmt(b, " -n %" PRIu64 " -c %" PRIu64 " -k %" PRIu64 " -g %" PRIu64, x->dim[0],
	           x->dim[1], out, s->groups);
	if (s->n == 1)
		tm_buf_str(b, " -H 1 -y 1 -p 0 -u 1 -l 1");
	if (s->n == 3)
		tm_buf_str(b, " --spatial_dim 3");
	put_dims(b, in, x->dim + 2, s->n);
	put_dims(b, fil, w->dim + 2, s->n);
	put_dims(b, pad, s->padding, s->n);
	put_dims(b, step, s->stride, s->n);
	put_dims(b, dil, s->dilation, s->n);
	if (s->transposed)
		put_dims(b, more, s->output, s->n);
	if (s->transposed)
		tm_buf_str(b, " -m trans");
}

/* What the driver is called for a type; NULL: it has none. */
static const char *driver_of(const char *type)
{
	static const struct {
		const char *suffix, *type;
	} drivers[] = {
#define DRIVER_TYPE(suffix_, type_) { suffix_, type_ },
#include "schemas/problem.def"
	};

	if (!strcmp(type, "f32_r"))
		return "";
	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
		if (!strcmp(drivers[i].type, type))
			return drivers[i].suffix;
	return NULL;
}

static bool convolution(struct call *c, const struct conv_op *o, enum tm_op_how *how)
{
	struct tm_op_work *w = c->w;
	const struct item *x = tensor(c, o->x, 0), *f = tensor(c, o->w, 0);
	int directions = directions_of(c, o);
	struct conv_sizes s;
	const char *type, *driver;

	*how = directions ? TM_OP_UNCLEAR : TM_OP_OTHER;
	if (directions <= 0 || !x || !f || x->ndim < 3 || x->ndim > 5 || x->ndim != f->ndim ||
	    !conv_sizes(c, o, x->ndim - 2, &s))
		return true;
	type = type_of(x);
	driver = type ? driver_of(type) : NULL;
	/* Channels have to fit the filter; larger ones are no tensor. */
	if (!driver || s.groups > UINT32_MAX || f->dim[1] > UINT32_MAX ||
	    (s.transposed ? f->dim[0] : f->dim[1] * s.groups) != x->dim[1] || f->n != x->n ||
	    memcmp(f->p, x->p, x->n) != 0)
		return true;
	tm_buf_fmt(&w->text, "MIOpenDriver conv%s -F %d", driver, directions);
	put_conv(&w->text, x, f, &s);
	if (!ask(w, how))
		return false;
	if (*how != TM_OP_WORK)
		return true;
	set_type(w, type);
	w->has_bytes &= !skips(&s, f);
	tm_buf_fmt(&w->problem, "%s %s", w->p.op.p + strlen("conv_"), w->p.shape.p);
	return !w->problem.failed;
}

/* ---- attention ---- */

struct attention_op {
	const char *name;
	enum order order;
	int q, k, v, causal, window;
	bool back;
};

static const struct attention_op attentions[] = {
#define ATTENTION(name_, order_, q_, k_, v_, causal_, window_)                                     \
	{ name_, order_, q_, k_, v_, causal_, window_, false },
#define ATTENTION_BACK(name_, order_, q_, k_, v_, causal_, window_)                                \
	{ name_, order_, q_, k_, v_, causal_, window_, true },
#include "schemas/torch_ops.def"
};

/* Does every query see all keys before it?  A window is one where it is not -1. */
static bool sees_all(const struct call *c, const struct attention_op *o)
{
	for (int i = 0; o->window >= 0 && i < 2; i++) {
		size_t at = (size_t)(o->window + i);

		if (at >= c->nvalue || c->value[at].n != 2 || memcmp(c->value[at].p, "-1", 2) != 0)
			return false;
	}
	return true;
}

static struct amount of(uint64_t v)
{
	return (struct amount) { .v = v, .known = true };
}

/* a * b * c. */
static struct amount product_of(struct amount a, uint64_t b, uint64_t c)
{
	tm_amount_mul(&a, b);
	tm_amount_mul(&a, c);
	return a;
}

static bool attention(struct call *c, const struct attention_op *o, enum tm_op_how *how)
{
	struct tm_op_work *w = c->w;
	const struct item *q = tensor(c, o->q, 4), *k = tensor(c, o->k, 4), *v = tensor(c, o->v, 4);
	unsigned h = o->order == BHND ? 1 : 2, s = 3 - h;
	int causal = truth(c, o->causal);
	struct amount flops, bytes, one;
	uint64_t width;
	const char *type = q ? type_of(q) : NULL;
	bool is_complex;

	*how = TM_OP_UNCLEAR;
	if (!type || !k || !v || causal < 0 || !sees_all(c, o) || q->dim[0] != k->dim[0] ||
	    k->dim[0] != v->dim[0] || q->dim[3] != k->dim[3] || k->dim[s] != v->dim[s] ||
	    k->dim[h] != v->dim[h] || (causal && q->dim[s] != k->dim[s]) ||
	    __builtin_add_overflow(q->dim[3], v->dim[3], &width))
		return true;
	/* Two products of matrices; backward five, and the forward is two. */
	flops = product_of(of(2), q->dim[0], q->dim[h]);
	flops = product_of(flops, q->dim[s], k->dim[s]);
	flops = product_of(flops, width, o->back ? 5 : 2);
	flops.v /= causal ? 4 : 2;
	/* q and the result have one size but for the last dimension; backward each is read, and so
	 * is the gradient of the result, and those of the three are written. */
	bytes = product_of(product_of(of(q->dim[0]), q->dim[h], q->dim[s]), width, 1);
	one = product_of(product_of(of(k->dim[0]), k->dim[h], k->dim[s]), width, 1);
	tm_amount_add(&bytes, &one);
	tm_amount_mul(&bytes, o->back ? 2 : 1);
	tm_amount_mul(&bytes, tm_problem_type_bits(type, strlen(type), &is_complex) / 8);
	if (!flops.known)
		return true;
	*how = TM_OP_WORK;
	w->flops = flops.v;
	w->has_bytes = bytes.known;
	w->bytes = bytes.v;
	set_type(w, type);
	tm_buf_fmt(&w->problem, "%sB=%" PRIu64 " H=%" PRIu64, o->back ? "bwd " : "fwd ", q->dim[0],
	           q->dim[h]);
	if (k->dim[h] != q->dim[h])
		tm_buf_fmt(&w->problem, "/%" PRIu64, k->dim[h]);
	tm_buf_fmt(&w->problem, " %" PRIu64 "x%" PRIu64 " D=%" PRIu64, q->dim[s], k->dim[s],
	           q->dim[3]);
	if (v->dim[3] != q->dim[3])
		tm_buf_fmt(&w->problem, "/%" PRIu64, v->dim[3]);
	if (causal)
		tm_buf_str(&w->problem, " causal");
	return !w->problem.failed;
}

/* ---- which of them ---- */

static bool look(struct call *c, const char *op, enum tm_op_how *how)
{
	for (size_t i = 0; i < sizeof products / sizeof *products; i++)
		if (!strcmp(products[i].name, op))
			return c->nin ? product(c, &products[i], how) : true;
	for (size_t i = 0; i < sizeof convs / sizeof *convs; i++)
		if (!strcmp(convs[i].name, op))
			return c->nin ? convolution(c, &convs[i], how) : true;
	for (size_t i = 0; i < sizeof attentions / sizeof *attentions; i++)
		if (!strcmp(attentions[i].name, op))
			return c->nin ? attention(c, &attentions[i], how) : true;
	*how = TM_OP_OTHER;
	return true;
}

bool tm_op_work(struct tm_op_work *w, const char *op, const char *inputs, size_t ninputs,
                const char *values, size_t nvalues, enum tm_op_how *how)
{
	struct call c = { .w = w };
	enum tm_op_how found = TM_OP_NO_INPUTS;

	tm_buf_clear(&w->problem);
	tm_buf_clear(&w->text);
	w->type[0] = 0;
	w->is_product = w->has_bytes = false;
	w->flops = w->bytes = 0;
	c.nin = split(c.in, inputs, ninputs);
	c.nvalue = split(c.value, values, nvalues);
	if (!look(&c, op, &found))
		return false;
	if (found != TM_OP_WORK)
		tm_buf_clear(&w->problem);
	*how = found;
	return true;
}

void tm_op_work_fini(struct tm_op_work *w)
{
	tm_problem_fini(&w->p);
	tm_buf_fini(&w->problem);
	tm_buf_fini(&w->text);
	*w = (struct tm_op_work) { 0 };
}
