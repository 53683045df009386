/* SPDX-License-Identifier: MIT
 * Calls of rocBLAS and hipBLASLt: what was asked for, in one spelling. */
#include "model/problem_parts.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum how {
	HOW_TEXT,
	HOW_LETTER,
	HOW_DIM,
	HOW_SIZE,
	HOW_ONE,
	HOW_ALPHA,
	HOW_BETA,
	HOW_SCALE,
	HOW_WORD,
	HOW_FLAG,
	HOW_BIAS,
	HOW_AUX,
	HOW_ACT,
	HOW_BARE,
};

static const struct {
	const char *word;
	enum how how;
} fields[PF_BLAS_N] = {
#define FIELD(id, word_, how_) [PF_##id] = { .word = word_, .how = HOW_##how_ },
#include "schemas/problem.def"
};

/* An operation as schemas/problem.def has it. */
struct op {
	const char *name, *letters, *dims, *flops, *complex_flops;
	const char *matrix[3], *vector[2];
};

static const struct op ops[] = {
#define OP(name_, letters_, dims_, flops_, complex_, a, b, c, x, y)                                \
	{ .name = name_,                                                                           \
	  .letters = letters_,                                                                     \
	  .dims = dims_,                                                                           \
	  .flops = flops_,                                                                         \
	  .complex_flops = complex_,                                                               \
	  .matrix = { a, b, c },                                                                   \
	  .vector = { x, y } },
#include "schemas/problem.def"
};

enum { A, B, C, D, COMPUTE, TYPES };

struct type {
	const char *p; /* NULL: nobody said it */
	size_t n;
	unsigned bits; /* of an item, 0 = not known */
};

/* What a call is, beside its fields. */
struct call {
	struct tm_problem *p;
	struct tm_problem_fields *f;
	const struct op *op; /* NULL: nobody knows it */
	bool pointers;       /* each matrix of a batch is somewhere */
	bool ex, strided;    /* what the function is called */
	bool real_factor;    /* complex data, real alpha: csscal */
	struct type type[TYPES];
	bool is_complex;
	bool adds; /* beta is not 0 */
};

/* ---- names ---- */

static bool same(const char *word, const char *s, size_t n)
{
	return strlen(word) == n && !strncasecmp(word, s, n);
}

/* A grouped GEMM says m once more for its next part. */
static void next_part(struct tm_problem_fields *f)
{
	if (!tm_grow_array(&f->part, &f->part_cap, f->nparts + 1, sizeof *f->part)) {
		f->failed = true;
		return;
	}
	memcpy(f->part[f->nparts++].v, &f->v[PF_PART_FIRST], sizeof f->part->v);
	for (int i = 0; i < PF_PART_N; i++)
		f->v[PF_PART_FIRST + i].n = TEXT_NONE;
}

static const struct {
	const char *spelling;
	enum problem_field id;
} names[] = {
#define NAME(spelling_, id_) { .spelling = spelling_, .id = PF_##id_ },
#include "schemas/problem.def"
};

static const struct {
	const char *spelling, *word;
	bool valued;
} settings[] = {
#define SETTING(spelling_, word_, valued_)                                                         \
	{ .spelling = spelling_, .word = word_, .valued = valued_ },
#include "schemas/problem.def"
};

bool tm_blas_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                 size_t nvalue)
{
	struct tm_problem_fields *f = p->fields;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (same(names[i].spelling, name, nname)) {
			if (names[i].id == PF_M && problem_has(f, PF_M))
				next_part(f);
			tm_problem_set(f, names[i].id, value, nvalue);
			return true;
		}
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (same(settings[i].spelling, name, nname)) {
			tm_problem_keep(f, &f->settings, settings[i].word, strlen(settings[i].word),
			                value, nvalue);
			return true;
		}
	return false;
}

bool tm_blas_may_end(const char *name, size_t n)
{
	bool cut = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (same(names[i].spelling, name, n))
			return fields[names[i].id].how == HOW_FLAG;
		cut |= !strncasecmp(names[i].spelling, name, n);
	}
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (same(settings[i].spelling, name, n))
			return !settings[i].valued;
		cut |= !strncasecmp(settings[i].spelling, name, n);
	}
	return !cut;
}

static const struct op *op_find(const char *s, size_t n)
{
	static const struct {
		const char *name, *op;
	} others[] = {
#define SAME(name_, op_) { .name = name_, .op = op_ },
#include "schemas/problem.def"
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strlen(others[i].name) == n && !memcmp(others[i].name, s, n)) {
			s = others[i].op;
			n = strlen(s);
			break;
		}
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strlen(ops[i].name) == n && !memcmp(ops[i].name, s, n))
			return &ops[i];
	return NULL;
}

static bool drop_suffix(const char *s, size_t *n, const char *suffix)
{
	size_t len = strlen(suffix);

	if (*n <= len || memcmp(s + *n - len, suffix, len) != 0)
		return false;
	*n -= len;
	return true;
}

/* The type that letters in front of an operation mean; NULL = none. */
static const char *prefix_type(const char *letters, size_t n)
{
	static const struct {
		const char *letters, *type;
	} prefixes[] = {
#define PREFIX(letters_, type_) { .letters = letters_, .type = type_ },
#include "schemas/problem.def"
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strlen(prefixes[i].letters) == n && !memcmp(prefixes[i].letters, letters, n))
			return prefixes[i].type;
	return NULL;
}

/* Find the operation of a function, and the type its name implies: NULL = none. */
static const char *find_op(struct call *c, const char *s, size_t n)
{
	static const char *const suffixes[] = { "_64", "_ex", "_ex3", "_strided_batched",
		                                "_batched" };
	enum { EX = 1, EX3 = 2, STRIDED = 3, LAST = sizeof suffixes / sizeof *suffixes - 1 };
	/* trsm has it in front, in its trace and profile lines. */
	static const char strided[] = "strided_batched_", batched[] = "batched_";
	const char *type;
	size_t i = 0;

	if (n > sizeof strided - 1 && !memcmp(s, strided, sizeof strided - 1)) {
		s += sizeof strided - 1;
		n -= sizeof strided - 1;
		c->strided = true;
	} else if (n > sizeof batched - 1 && !memcmp(s, batched, sizeof batched - 1)) {
		s += sizeof batched - 1;
		n -= sizeof batched - 1;
		c->pointers = true;
	}
	while (i <= LAST) {
		bool dropped = drop_suffix(s, &n, suffixes[i]);

		c->ex |= dropped && (i == EX || i == EX3);
		c->strided |= dropped && i == STRIDED;
		c->pointers |= dropped && i == LAST;
		i = dropped ? 0 : i + 1;
	}
	c->op = op_find(s, n);
	/* isamax: the letter of the type is after the i. */
	if (!c->op && n == 6 && *s == 'i' && (type = prefix_type(s + 1, 1)) != NULL) {
		const char name[] = { 'i', s[2], s[3], s[4], s[5] };

		c->op = op_find(name, sizeof name);
		if (c->op)
			return type;
	}
	for (size_t len = 1; !c->op && len <= 2 && len < n; len++) {
		type = prefix_type(s, len);
		c->op = type ? op_find(s + len, n - len) : NULL;
		c->real_factor = c->op && len == 2 && s[1] != 'f' && (*s == 'c' || *s == 'z');
		if (c->op)
			return type;
	}
	return NULL;
}

bool tm_blas_function(const char *name, size_t n, struct blas_function *fn)
{
	struct call c = { 0 };
	bool typed = find_op(&c, name, n) != NULL;

	if (!c.op || typed == c.ex)
		return false;
	*fn = (struct blas_function) { .op = c.op->name,
		                       .ex = c.ex,
		                       .strided = c.strided,
		                       .batched = c.strided || c.pointers };
	return true;
}

/* ---- types ---- */

static void type_set(struct type *t, const char *p, size_t n, bool *is_complex)
{
	t->p = tm_problem_type_name(p, n, &t->n);
	t->bits = tm_problem_type_bits(t->p, t->n, is_complex);
}

static void find_types(struct call *c, const char *implied)
{
	static const enum problem_field said[TYPES] = { PF_A_TYPE, PF_B_TYPE, PF_C_TYPE, PF_D_TYPE,
		                                        PF_COMPUTE_TYPE };
	const struct tm_problem_fields *f = c->f;
	struct type all = { 0 };
	bool is_complex = false;

	if (problem_has(f, PF_PRECISION))
		type_set(&all, problem_text(f, f->v[PF_PRECISION]), f->v[PF_PRECISION].n,
		         &is_complex);
	else if (implied)
		type_set(&all, implied, strlen(implied), &is_complex);
	else if (f->command)
		type_set(&all, "f32_r", 5, &is_complex);
	for (int i = A; i < TYPES; i++) {
		if (problem_has(f, said[i]) && f->v[said[i]].n)
			type_set(&c->type[i], problem_text(f, f->v[said[i]]), f->v[said[i]].n,
			         &is_complex);
		else if (i == COMPUTE && c->p->lib == TM_LIB_HIPBLASLT && c->type[A].bits &&
		         c->type[A].bits < 32)
			/* What both libraries accumulate in, unless told otherwise. */
			type_set(&c->type[i], *c->type[A].p == 'i' ? "i32_r" : "f32_r", 5,
			         &is_complex);
		else if (i == D && c->op && strcmp(c->op->name, "gemm") != 0)
			/* There is none. */
			c->type[i] = c->type[C];
		else if (i == C && c->op && *c->op->vector[0] && !*c->op->vector[1] &&
		         !*c->op->matrix[0])
			/* Of scal and nrm2 neither. */
			c->type[i] = c->type[B];
		else
			c->type[i] = all.p || i == A ? all : c->type[i == COMPUTE ? A : i - 1];
		c->is_complex |= is_complex;
	}
	/* A table of rocblas-bench has no types, but "(1: 0)" is no factor of real numbers. */
	if (!c->type[A].n && problem_has(f, PF_ALPHA))
		c->is_complex |= *problem_text(f, f->v[PF_ALPHA]) == '(';
}

static bool type_same(const struct type *a, const struct type *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n));
}

static void put_types(const struct call *c)
{
	struct tm_buf *b = &c->p->types;
	bool one = true;

	for (int i = B; i <= D; i++)
		one &= type_same(&c->type[A], &c->type[i]);
	for (int i = A; i <= (one ? A : D); i++) {
		if (i)
			tm_buf_chr(b, ',');
		tm_buf_add(b, c->type[i].p ? c->type[i].p : "", c->type[i].n);
	}
	if (one && type_same(&c->type[A], &c->type[COMPUTE]))
		return;
	tm_buf_chr(b, ';');
	tm_buf_add(b, c->type[COMPUTE].p ? c->type[COMPUTE].p : "", c->type[COMPUTE].n);
}

/* ---- sizes ---- */

static const struct {
	char letter, dflt;
	enum problem_field id;
} letters[] = {
	{ .letter = 'S', .dflt = 'L', .id = PF_SIDE },
	{ .letter = 'U', .dflt = 'U', .id = PF_UPLO },
	{ .letter = 'A', .dflt = 'N', .id = PF_TRANS_A },
	{ .letter = 'B', .dflt = 'N', .id = PF_TRANS_B },
	{ .letter = 'D', .dflt = 'N', .id = PF_DIAG },
};

/* What the clients take for a size that is left out. */
static const char usual_size[] = "128";

/* All usual values of a call, at most. */
enum { USUAL_BYTES = 64 };

/* The letter of a field as the libraries' enums have it: "N", 'T', "conjugate". */
static char letter_of(const struct tm_problem_fields *f, enum problem_field id)
{
	char c = problem_has(f, id) && f->v[id].n ? *problem_text(f, f->v[id]) : '?';

	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static enum problem_field dim_field(char letter)
{
	return letter == 'm' ? PF_M : letter == 'n' ? PF_N : PF_K;
}

/* The size of a rule such as "Amk"; not known where it is no number. */
static struct amount rule_size(const struct call *c, const char *rule)
{
	struct amount a = { 0 };
	bool first = true;
	uint64_t v;

	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
		if (letters[i].letter == *rule)
			first = letter_of(c->f, letters[i].id) == letters[i].dflt;
	if (*rule && tm_problem_number(c->f, dim_field(rule[first ? 1 : 2]), &v))
		a = (struct amount) { .v = v, .known = true };
	return a;
}

static struct amount number(const struct call *c, enum problem_field id)
{
	struct amount a = { 0 };
	uint64_t v;

	if (tm_problem_number(c->f, id, &v))
		a = (struct amount) { .v = v, .known = true };
	return a;
}

/* How many; one where nobody says it. */
static struct amount batch_of(const struct call *c)
{
	return problem_has(c->f, PF_BATCH) ? number(c, PF_BATCH)
	                                   : (struct amount) { .v = 1, .known = true };
}

/* Rows of packed matrix i, a .. e: d and e are as c. */
static struct amount packed_rows(const struct call *c, int i)
{
	if (i >= D && problem_has(c->f, PF_LDC))
		return number(c, PF_LDC);
	return rule_size(c, c->op->matrix[i < C ? i : C]);
}

static struct amount packed_matrix(const struct call *c, int i)
{
	const enum problem_field ld = (enum problem_field)(PF_LDA + i);
	struct amount a = problem_has(c->f, ld) ? number(c, ld) : packed_rows(c, i);
	struct amount cols = rule_size(c, c->op->matrix[i < C ? i : C] + 3);

	a.known &= cols.known;
	tm_amount_mul(&a, cols.v);
	return a;
}

static struct amount packed_vector(const struct call *c, int i)
{
	const enum problem_field inc = i ? PF_INCY : PF_INCX;
	struct amount a = rule_size(c, c->op->vector[i]);
	struct amount step = problem_has(c->f, inc) ? number(c, inc)
	                                            : (struct amount) { .v = 1, .known = true };

	a.known &= step.known;
	tm_amount_mul(&a, step.v);
	return a;
}

/* What a leading dimension or stride is with packed data; not known where there is no such thing.
 */
static struct amount packed(const struct call *c, enum problem_field id)
{
	const struct amount none = { 0 };
	int i = (int)id - (int)(id >= PF_STRIDE_A ? PF_STRIDE_A : PF_LDA);

	if (!c->op)
		return none;
	if (id == PF_STRIDE_X || id == PF_STRIDE_Y)
		return *c->op->vector[id == PF_STRIDE_Y] ? packed_vector(c, id == PF_STRIDE_Y)
		                                         : none;
	if (!*c->op->matrix[i < C ? i : C])
		return none;
	return id >= PF_STRIDE_A ? packed_matrix(c, i) : packed_rows(c, i);
}

static bool is_stride(enum problem_field id)
{
	return (id >= PF_STRIDE_A && id <= PF_STRIDE_E) || id == PF_STRIDE_X || id == PF_STRIDE_Y;
}

/* Does a size say nothing that is not known without it? */
static bool size_usual(const struct call *c, enum problem_field id)
{
	struct amount v = number(c, id), usual = packed(c, id), batch = batch_of(c);

	if ((id == PF_LDE || id == PF_STRIDE_E) && tm_problem_off(c->f, PF_AUX))
		return true;
	if (is_stride(id) && (c->pointers || (batch.known && batch.v == 1)))
		return true;
	return v.known && usual.known && v.v == usual.v;
}

/* ---- reals ---- */

/* "1", "1.0" and "1.000000" are one number; six digits are what the clients print. */
static void put_real(struct tm_buf *b, const char *p, size_t n)
{
	double v;

	if (tm_num_real(p, n, &v))
		tm_buf_fmt(b, "%.6g", v + 0.0);
	else
		tm_buf_add(b, p, n);
}

/* "1", "(1,0)" or "(1:0)", and an imaginary part of its own, as "1" or "1,0.5". */
static void put_factor(struct tm_buf *b, const struct tm_problem_fields *f, enum problem_field id)
{
	const char *p = problem_text(f, f->v[id]), *im = "0";
	const enum problem_field imaginary = id == PF_ALPHA ? PF_ALPHA_I : PF_BETA_I;
	size_t n = f->v[id].n, nim = 1, split = 0, from;

	if (n >= 2 && *p == '(' && p[n - 1] == ')') {
		p++;
		n -= 2;
		while (split < n && p[split] != ',' && p[split] != ':')
			split++;
		if (split < n) {
			im = p + split + 1;
			nim = n - split - 1;
			n = split;
		}
	} else if (problem_has(f, imaginary)) {
		im = problem_text(f, f->v[imaginary]);
		nim = f->v[imaginary].n;
	}
	put_real(b, p, n);
	from = b->n;
	tm_buf_chr(b, ',');
	put_real(b, im, nim);
	if (!b->failed && (!strcmp(b->p + from, ",0") || !strcmp(b->p + from, ",")))
		b->p[b->n = from] = 0;
}

/* Append " word=factor" where it is not the usual one; true then. */
static bool put_scalar(struct tm_buf *b, const struct tm_problem_fields *f, enum problem_field id,
                       const char *usual)
{
	size_t from = b->n, value;

	if (!problem_has(f, id))
		return false;
	tm_buf_fmt(b, " %s=", fields[id].word);
	value = b->n;
	put_factor(b, f, id);
	if (b->failed || strcmp(b->p + value, usual) != 0)
		return true;
	b->p[b->n = from] = 0;
	return false;
}

/* ---- the shape ---- */

static void put_named(struct tm_buf *b, const struct tm_problem_fields *f, enum problem_field id)
{
	tm_buf_fmt(b, " %s=", fields[id].word);
	tm_problem_put_number(b, f, f->v[id]);
}

static bool begins_with(const char *list, const char *word)
{
	return strchr(list, *word) != NULL;
}

/* Is this field said by the beginning of the shape? */
static bool is_begin(const struct call *c, enum problem_field id)
{
	if (!c->op)
		return false;
	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
		if (letters[i].id == id)
			return strchr(c->op->letters, letters[i].letter) != NULL;
	return id >= PF_M && id <= PF_K && begins_with(c->op->dims, fields[id].word);
}

static bool scale_usual(const struct call *c)
{
	const struct type *t = &c->type[COMPUTE];

	return (t->n && c->f->v[PF_SCALE_TYPE].n == t->n &&
	        !memcmp(problem_text(c->f, c->f->v[PF_SCALE_TYPE]), t->p, t->n)) ||
	       (tm_problem_is(c->f, PF_SCALE_TYPE, "f32_r") && (!t->n || *t->p != 'i'));
}

/* A type that is named only where it is not that of d. */
static bool type_usual(const struct call *c, enum problem_field id)
{
	const struct type *t = &c->type[D];

	return (id == PF_BIAS_TYPE || id == PF_AUX_TYPE) && c->f->v[id].n == t->n && t->n &&
	       !memcmp(problem_text(c->f, c->f->v[id]), t->p, t->n);
}

/* One field after the beginning, where it says something. */
static void put_field(const struct call *c, struct tm_buf *b, enum problem_field id)
{
	const struct tm_problem_fields *f = c->f;
	bool off = tm_problem_off(f, id);

	if (!problem_has(f, id))
		return;
	switch (fields[id].how) {
	case HOW_TEXT:
		break;
	case HOW_LETTER:
	case HOW_DIM:
		if (!is_begin(c, id))
			put_named(b, f, id);
		break;
	case HOW_SIZE:
		if (!size_usual(c, id))
			put_named(b, f, id);
		break;
	case HOW_ONE:
		if (!tm_problem_is(f, id, "1"))
			put_named(b, f, id);
		if (id == PF_BATCH && c->pointers && !tm_problem_is(f, id, "1"))
			tm_buf_str(b, " pointers");
		break;
	case HOW_ALPHA:
		put_scalar(b, f, id, "1");
		break;
	case HOW_BETA:
		put_scalar(b, f, id, "0");
		break;
	case HOW_SCALE:
		if (!off && !scale_usual(c))
			put_named(b, f, id);
		break;
	case HOW_BIAS:
		off |= tm_problem_off(f, PF_BIAS) ||
		       (id == PF_BIAS_SOURCE && tm_problem_is(f, id, "d"));
		/* fall through */
	case HOW_AUX:
		off |= fields[id].how == HOW_AUX && tm_problem_off(f, PF_AUX);
		/* fall through */
	case HOW_ACT:
		off |= fields[id].how == HOW_ACT && tm_problem_off(f, PF_ACTIVATION);
		/* fall through */
	case HOW_WORD:
		if (!off && !type_usual(c, id))
			put_named(b, f, id);
		/* "--scaleA" alone is 1. */
		if (!off && !f->v[id].n)
			tm_buf_chr(b, '1');
		break;
	case HOW_FLAG:
		if (!off)
			tm_buf_fmt(b, " %s", fields[id].word);
		break;
	case HOW_BARE:
		if (!off && f->v[id].n) {
			tm_buf_chr(b, ' ');
			tm_buf_add(b, problem_text(f, f->v[id]), f->v[id].n);
		}
		break;
	}
}

/* The part of the fields at hand: "4096x128x4096 lda=..." and so on. */
static void put_part(const struct call *c, struct tm_buf *b)
{
	for (const char *d = c->op ? c->op->dims : ""; *d; d++) {
		if (d > c->op->dims)
			tm_buf_chr(b, 'x');
		tm_problem_put_number(b, c->f, c->f->v[dim_field(*d)]);
	}
	for (int id = PF_PART_FIRST; id < PF_PART_FIRST + PF_PART_N; id++)
		put_field(c, b, (enum problem_field)id);
}

/* ---- work ---- */

/* "2mn+2y" of the part at hand, for each of the batch. */
static struct amount flops_of(const struct call *c)
{
	struct amount sum = { .known = true }, batch = batch_of(c);
	const char *p = c->op ? (c->is_complex ? c->op->complex_flops : c->op->flops) : "";

	if (!*p || c->real_factor || problem_has(c->f, PF_GEAM_OP))
		return (struct amount) { 0 };
	while (*p) {
		struct amount term = { .known = true };

		for (; *p >= '0' && *p <= '9'; p++)
			term.v = term.v * 10 + (unsigned)(*p - '0');
		for (; *p && *p != '+'; p++) {
			struct amount v = *p == 's'   ? rule_size(c, "Smn")
			                  : *p == 'y' ? rule_size(c, c->op->vector[1])
			                              : number(c, dim_field(*p));

			/* A product of nothing is still a beta * C. */
			if (*p == 'k' && v.known && !v.v)
				v.v = 1;
			term.known &= v.known;
			tm_amount_mul(&term, v.v);
		}
		tm_amount_add(&sum, &term);
		p += *p == '+';
	}
	sum.known &= batch.known;
	tm_amount_mul(&sum, batch.v);
	return sum;
}

static struct amount bits_of(struct amount items, struct amount other, unsigned bits)
{
	items.known &= other.known && bits;
	tm_amount_mul(&items, other.v);
	tm_amount_mul(&items, bits);
	return items;
}

/* What a product of matrices reads and writes at least, of the part at hand. */
static struct amount gemm_bytes(const struct call *c)
{
	const struct amount one = { .v = 1, .known = true };
	struct amount m = number(c, PF_M), n = number(c, PF_N), k = number(c, PF_K),
	              batch = batch_of(c), sum = bits_of(m, k, c->type[A].bits),
	              b = bits_of(k, n, c->type[B].bits), out = bits_of(m, n, c->type[D].bits),
	              in = bits_of(m, n, c->type[C].bits), bias, scale;
	bool is_complex;
	unsigned bits = problem_has(c->f, PF_BIAS_TYPE)
	                        ? tm_problem_type_bits(problem_text(c->f, c->f->v[PF_BIAS_TYPE]),
	                                               c->f->v[PF_BIAS_TYPE].n, &is_complex)
	                        : c->type[D].bits;

	tm_amount_add(&sum, &b);
	tm_amount_add(&sum, &out);
	if (c->adds)
		tm_amount_add(&sum, &in);
	bias = bits_of(m, one, bits);
	scale = bits_of(m, one, c->type[COMPUTE].bits);
	if (problem_has(c->f, PF_BIAS) && !tm_problem_off(c->f, PF_BIAS))
		tm_amount_add(&sum, &bias);
	if (problem_has(c->f, PF_SCALE_ALPHA) && !tm_problem_off(c->f, PF_SCALE_ALPHA))
		tm_amount_add(&sum, &scale);
	sum.known &= batch.known;
	tm_amount_mul(&sum, batch.v);
	return sum;
}

/* The same of matrix A and the vectors: y is read too where something is added to it. */
static struct amount vector_bytes(const struct call *c)
{
	const struct amount one = { .v = 1, .known = true };
	struct amount batch = batch_of(c), sum = { .known = true }, v;
	bool gemv = !strcmp(c->op->name, "gemv"), axpy = !strcmp(c->op->name, "axpy");

	if (!gemv && !axpy)
		return (struct amount) { 0 };
	if (gemv) {
		v = bits_of(number(c, PF_M), number(c, PF_N), c->type[A].bits);
		tm_amount_add(&sum, &v);
	}
	v = bits_of(rule_size(c, c->op->vector[0]), one, c->type[B].bits);
	tm_amount_add(&sum, &v);
	v = bits_of(rule_size(c, c->op->vector[1]), one, c->type[C].bits);
	tm_amount_add(&sum, &v);
	if (axpy || c->adds)
		tm_amount_add(&sum, &v);
	sum.known &= batch.known;
	tm_amount_mul(&sum, batch.v);
	return sum;
}

static struct amount bytes_of(const struct call *c)
{
	if (!c->op)
		return (struct amount) { 0 };
	return strcmp(c->op->name, "gemm") != 0 ? vector_bytes(c) : gemm_bytes(c);
}

/* ---- the whole ---- */

/* Is beta something else than 0? */
static bool adds(struct tm_problem_fields *f)
{
	struct tm_buf b = { 0 };
	bool yes = put_scalar(&b, f, PF_BETA, "0");

	f->failed |= b.failed;
	tm_buf_fini(&b);
	return yes;
}

/* The function and its operation; NULL or why there is none. */
static const char *find_call(struct call *c)
{
	struct tm_problem_fields *f = c->f;
	const char *name = "gemm", *implied;
	static const char prefix[] = "rocblas_";
	size_t n = 4;

	if (problem_has(f, PF_FUNCTION) && f->v[PF_FUNCTION].n) {
		name = problem_text(f, f->v[PF_FUNCTION]);
		n = f->v[PF_FUNCTION].n;
	} else if (!f->command && !(problem_has(f, PF_TRANS_B) && problem_has(f, PF_K))) {
		return "no operation";
	}
	if (n > sizeof prefix - 1 && !memcmp(name, prefix, sizeof prefix - 1)) {
		name += sizeof prefix - 1;
		n -= sizeof prefix - 1;
	}
	if (n == 6 && !memcmp(name, "matmul", 6)) {
		name = "gemm";
		n = 4;
	}
	implied = find_op(c, name, n);
	if (c->op)
		tm_buf_str(&c->p->op, c->op->name);
	else
		tm_buf_add(&c->p->op, name, n);
	/* Types point into the text, which fill_usual adds to. */
	if (!tm_buf_reserve(&f->text, (f->nparts + 1) * USUAL_BYTES)) {
		f->failed = true;
		return NULL;
	}
	find_types(c, implied);
	/* A result names no function: without strides each matrix is somewhere. */
	if (!problem_has(f, PF_FUNCTION) && c->p->lib == TM_LIB_ROCBLAS && !f->command)
		c->pointers = !problem_has(f, PF_STRIDE_A);
	return NULL;
}

/* What the shape begins with, as the client has it where it is left out. */
static const char *fill_usual(const struct call *c)
{
	struct tm_problem_fields *f = c->f;

	for (const char *l = c->op ? c->op->letters : ""; *l; l++)
		for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
			if (letters[i].letter == *l && !problem_has(f, letters[i].id)) {
				if (!f->command)
					return "a transposition, side, triangle or diagonal is "
					       "missing";
				tm_problem_set(f, letters[i].id, &letters[i].dflt, 1);
			}
	for (const char *d = c->op ? c->op->dims : ""; *d; d++)
		if (!problem_has(f, dim_field(*d))) {
			if (!f->command)
				return "a size is missing";
			tm_problem_set(f, dim_field(*d), usual_size, sizeof usual_size - 1);
		}
	return NULL;
}

const char *tm_blas_finish(struct tm_problem *p)
{
	struct call c = { .p = p, .f = p->fields };
	struct tm_problem_fields *f = p->fields;
	struct amount flops = { .known = true }, bytes = { .known = true }, one;
	struct problem_part last;
	const char *why = find_call(&c);

	if (why || f->failed)
		return why;
	memcpy(last.v, &f->v[PF_PART_FIRST], sizeof last.v);
	c.adds = adds(f);
	for (size_t i = 0; i <= f->nparts && !f->failed; i++) {
		memcpy(&f->v[PF_PART_FIRST], i < f->nparts ? f->part[i].v : last.v, sizeof last.v);
		why = fill_usual(&c);
		if (why)
			return why;
		for (const char *l = c.op && !i ? c.op->letters : ""; *l; l++)
			for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
				if (letters[k].letter == *l)
					tm_buf_chr(&p->shape, letter_of(f, letters[k].id));
		if (c.op && !i && *c.op->letters)
			tm_buf_chr(&p->shape, ' ');
		if (i)
			tm_buf_chr(&p->shape, '+');
		put_part(&c, &p->shape);
		one = flops_of(&c);
		tm_amount_add(&flops, &one);
		one = bytes_of(&c);
		tm_amount_add(&bytes, &one);
	}
	for (int id = 0; id < PF_BLAS_N && !f->failed; id++)
		if (id < PF_PART_FIRST || id >= PF_PART_FIRST + PF_PART_N)
			put_field(&c, &p->shape, (enum problem_field)id);
	if (f->nparts && !problem_has(f, PF_GROUPED))
		tm_buf_str(&p->shape, " grouped");
	if (f->failed)
		return NULL;
	if (c.op)
		tm_problem_move(f, &f->settings, &f->others);
	else
		tm_problem_put_pairs(&p->shape, f, &f->others);
	/* Where an operation begins with nothing. */
	if (!p->shape.failed && *p->shape.p == ' ')
		memmove(p->shape.p, p->shape.p + 1, p->shape.n--);
	put_types(&c);
	p->has_flops = flops.known;
	p->flops = flops.v;
	p->has_bytes = bytes.known;
	p->bytes = (bytes.v + 7) / 8;
	return NULL;
}
