/* SPDX-License-Identifier: MIT */
#include "model/problem.h"

#include "base/base.h"
#include "model/problem_parts.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 16 * 1024 * 1024, COMPLEX_MAX = 100 };

const char *const tm_lib_words[] = {
	[TM_LIB_ROCBLAS] = "rocblas",
	[TM_LIB_HIPBLASLT] = "hipblaslt",
	[TM_LIB_ROCBLAS_FUNCTION] = "rocblas_function",
	[TM_LIB_MIOPEN] = "miopen",
	[TM_LIB_TENSILE] = "tensile",
	[TM_LIB_RCCL] = "rccl",
	[TM_LIB_ROCBLAS_TRACE] = "rocblas_trace",
	[TM_LIB_N] = NULL,
};

enum tm_lib tm_lib_find(const char *s, size_t n)
{
	int i = 0;

	while (i < TM_LIB_N && (strlen(tm_lib_words[i]) != n || memcmp(tm_lib_words[i], s, n) != 0))
		i++;
	return (enum tm_lib)i;
}

/* ---- fields ---- */

bool tm_problem_is(const struct tm_problem_fields *f, enum problem_field id, const char *word)
{
	return problem_has(f, id) && f->v[id].n == strlen(word) &&
	       !strncasecmp(problem_text(f, f->v[id]), word, f->v[id].n);
}

bool tm_problem_off(const struct tm_problem_fields *f, enum problem_field id)
{
	static const char *const words[] = { "none", "0", "0.0", "false", "n/a" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (tm_problem_is(f, id, words[i]))
			return true;
	/* A word of a command line without a value is on; an empty column says nothing. */
	return !problem_has(f, id) || (!f->v[id].n && !f->command);
}

bool tm_problem_number(const struct tm_problem_fields *f, enum problem_field id, uint64_t *v)
{
	return problem_has(f, id) && tm_num_u64_any(problem_text(f, f->v[id]), f->v[id].n, v);
}

void tm_problem_put_number(struct tm_buf *b, const struct tm_problem_fields *f,
                           struct problem_text t)
{
	uint64_t v;

	if (tm_num_u64_any(problem_text(f, t), t.n, &v))
		tm_buf_u64(b, v);
	else
		tm_buf_add(b, problem_text(f, t), t.n);
}

static bool blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* A copy of p[0..n), which ends up between blanks: without quotes around it, or any blank in it. */
static struct problem_text keep_text(struct tm_problem_fields *f, const char *p, size_t n)
{
	struct problem_text t = { .n = TEXT_NONE };

	while (n && blank(*p)) {
		p++;
		n--;
	}
	while (n && blank(p[n - 1]))
		n--;
	while (n >= 2 && (*p == '"' || *p == '\'') && p[n - 1] == *p) {
		p++;
		n -= 2;
	}
	if (f->text.n + n >= UINT32_MAX || !tm_buf_reserve(&f->text, n)) {
		f->failed = true;
		return t;
	}
	t.at = (uint32_t)f->text.n;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] > ' ')
			tm_buf_chr(&f->text, p[i]);
	t.n = (uint32_t)f->text.n - t.at;
	return t;
}

void tm_problem_set(struct tm_problem_fields *f, enum problem_field id, const char *value, size_t n)
{
	f->v[id] = keep_text(f, value, n);
}

void tm_problem_keep(struct tm_problem_fields *f, struct problem_pairs *l, const char *name,
                     size_t nname, const char *value, size_t nvalue)
{
	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v)) {
		f->failed = true;
		return;
	}
	l->v[l->n].name = keep_text(f, name, nname);
	l->v[l->n++].value = keep_text(f, value, nvalue);
}

/* ---- lists of pairs ---- */

static int text_cmp(const char *base, struct problem_text a, struct problem_text b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(base + a.at, base + b.at, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

static int pair_cmp(const void *pa, const void *pb, void *base)
{
	const struct problem_pair *a = pa, *b = pb;
	int c = text_cmp(base, a->name, b->name);

	return c ? c : text_cmp(base, a->value, b->value);
}

void tm_problem_put_pairs(struct tm_buf *b, struct tm_problem_fields *f, struct problem_pairs *l)
{
	if (f->failed)
		return;
	if (l->n > 1)
		qsort_r(l->v, l->n, sizeof *l->v, pair_cmp, f->text.p);
	for (size_t i = 0; i < l->n; i++) {
		const struct problem_pair *v = &l->v[i];

		/* Said twice is said once; "" is not said. */
		if ((i && !pair_cmp(v, v - 1, f->text.p)) || (!v->name.n && !v->value.n))
			continue;
		if (b->n)
			tm_buf_chr(b, ' ');
		tm_buf_add(b, problem_text(f, v->name), v->name.n);
		if (v->value.n && v->name.n)
			tm_buf_chr(b, '=');
		tm_problem_put_number(b, f, v->value);
	}
}

void tm_problem_move(struct tm_problem_fields *f, struct problem_pairs *to,
                     struct problem_pairs *from)
{
	if (!from->n)
		return;
	if (!tm_grow_array(&to->v, &to->cap, to->n + from->n, sizeof *to->v)) {
		f->failed = true;
		return;
	}
	memcpy(to->v + to->n, from->v, from->n * sizeof *from->v);
	to->n += from->n;
	from->n = 0;
}

/* ---- types and amounts ---- */

unsigned tm_problem_type_bits(const char *type, size_t n, bool *is_complex)
{
	static const struct {
		const char *name;
		unsigned bits;
		bool is_complex;
	} types[] = {
#define TYPE(name_, bits_, complex_) { .name = name_, .bits = bits_, .is_complex = complex_ },
#include "schemas/problem.def"
	};

	*is_complex = false;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].name) == n && !memcmp(types[i].name, type, n)) {
			*is_complex = types[i].is_complex;
			return types[i].bits;
		}
	return 0;
}

const char *tm_problem_type_name(const char *text, size_t n, size_t *len)
{
	static const struct {
		const char *spelling, *name;
	} aliases[] = {
#define ALIAS(spelling_, name_) { .spelling = spelling_, .name = name_ },
#include "schemas/problem.def"
	};

	/* Profile lines of hipBLASLt have "c_f32_r" for a compute type. */
	if (n > 2 && !memcmp(text, "c_", 2)) {
		text += 2;
		n -= 2;
	}
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (strlen(aliases[i].spelling) == n && !memcmp(aliases[i].spelling, text, n)) {
			*len = strlen(aliases[i].name);
			return aliases[i].name;
		}
	*len = n;
	return text;
}

void tm_amount_mul(struct amount *a, tm_u128 b)
{
	if (a->known)
		a->known = !__builtin_mul_overflow(a->v, b, &a->v);
}

void tm_amount_add(struct amount *a, const struct amount *b)
{
	a->known = a->known && b->known && !__builtin_add_overflow(a->v, b->v, &a->v);
}

/* ---- begin, put, end ---- */

/* Empty, but a text all the same. */
static bool buf_empty(struct tm_buf *b)
{
	if (b->failed)
		tm_buf_fini(b);
	if (!b->p && !tm_buf_reserve(b, 0))
		return false;
	tm_buf_clear(b);
	b->p[0] = 0;
	return true;
}

static bool key_empty(struct tm_problem *p)
{
	return buf_empty(&p->op) && buf_empty(&p->types) && buf_empty(&p->shape) &&
	       buf_empty(&p->settings);
}

void tm_problem_begin(struct tm_problem *p, enum tm_lib lib)
{
	struct tm_problem_fields *f = p->fields;

	p->lib = lib;
	p->call_count = 1;
	p->has_flops = p->has_bytes = false;
	p->flops = p->bytes = 0;
	if (!f)
		f = p->fields = calloc(1, sizeof *f);
	if (!f)
		return;
	f->failed = !key_empty(p) || !buf_empty(&f->text);
	f->command = f->suffix = false;
	f->settings.n = f->others.n = f->nparts = 0;
	for (int i = 0; i < PF_FIELDS; i++)
		f->v[i].n = TEXT_NONE;
}

bool tm_problem_put(struct tm_problem *p, const char *name, size_t nname, const char *value,
                    size_t nvalue)
{
	uint64_t calls;

	if (!p->fields || p->fields->failed)
		return false;
	if (nname == strlen("call_count") && !memcmp(name, "call_count", nname)) {
		if (tm_num_u64(value, nvalue, &calls))
			p->call_count = calls;
		return true;
	}
	return p->lib == TM_LIB_MIOPEN ? tm_miopen_put(p, name, nname, value, nvalue)
	                               : tm_blas_put(p, name, nname, value, nvalue);
}

enum tm_status tm_problem_end(struct tm_problem *p, struct tm_diag *d)
{
	struct tm_problem_fields *f = p->fields;
	const char *why = NULL;

	if (f && !f->failed) {
		why = p->lib == TM_LIB_MIOPEN ? tm_miopen_finish(p) : tm_blas_finish(p);
		tm_problem_put_pairs(&p->settings, f, &f->settings);
	}
	if (!f || f->failed || f->text.failed || p->op.failed || p->types.failed ||
	    p->shape.failed || p->settings.failed) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	if (!why)
		return TM_ST_OK;
	p->has_flops = p->has_bytes = false;
	if (!key_empty(p)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	tm_diag_set(d, 0, "%s", why);
	return TM_ST_SKIP;
}

/* What is in no table is kept too: part of a shape nobody knows, or a setting. */
static void put_any(struct tm_problem *p, const char *name, size_t nname, const char *value,
                    size_t nvalue)
{
	struct tm_problem_fields *f = p->fields;

	if (f->suffix)
		tm_problem_keep(f, &f->settings, name, nname, value, nvalue);
	else if (!tm_problem_put(p, name, nname, value, nvalue) && !f->failed)
		tm_problem_keep(f, &f->others, name, nname, value, nvalue);
}

/* ---- command lines ---- */

struct word {
	const char *p;
	size_t n;
};

/* The next word and *p after it, quotes around it taken away; false at the end. */
static bool next_word(const char **p, const char *end, struct word *w)
{
	while (*p < end && blank(**p))
		++*p;
	if (*p == end)
		return false;
	if (**p == '\'' || **p == '"') {
		const char *close = memchr(*p + 1, **p, (size_t)(end - *p - 1));

		if (!close)
			close = end;
		*w = (struct word) { *p + 1, (size_t)(close - *p - 1) };
		*p = close < end ? close + 1 : end;
		return true;
	}
	w->p = *p;
	while (*p < end && !blank(**p))
		++*p;
	w->n = (size_t)(*p - w->p);
	return true;
}

/* An option begins with a hyphen; "-1" and "-.5" are numbers. */
static bool is_option(const struct word *w)
{
	return w->n >= 2 && w->p[0] == '-' && w->p[1] != '.' && (w->p[1] < '0' || w->p[1] > '9');
}

/* After "#" is what was chosen. */
static bool is_value(const struct word *w)
{
	return !is_option(w) && !(w->n && *w->p == '#');
}

/* What begins as a number is one to its end, or other text was written after it. */
static bool value_whole(const struct word *w)
{
	uint64_t u;
	double v;

	return !w->n || w->p[0] < '0' || w->p[0] > '9' || tm_num_u64_any(w->p, w->n, &u) ||
	       tm_num_real(w->p, w->n, &v);
}

/* One option at w, its value in the same word or the next. */
static void take_option(struct tm_problem *p, struct word w, const char **at, const char *end)
{
	bool is_long = w.p[1] == '-';
	struct word name = { w.p + 1 + is_long, w.n - 1 - is_long }, value = { "", 0 };
	const char *eq = memchr(name.p, '=', name.n), *here = *at;

	if (eq) {
		value = (struct word) { eq + 1, (size_t)(name.p + name.n - eq - 1) };
		name.n = (size_t)(eq - name.p);
	} else if (!is_long && name.n > 1 && name.p[1] >= '0' && name.p[1] <= '9') {
		value = (struct word) { name.p + 1, name.n - 1 };
		name.n = 1;
	} else if (next_word(at, end, &value) && !is_value(&value)) {
		*at = here;
		value.n = 0;
	}
	put_any(p, name.p, name.n, value.p, value.n);
}

/* Options up to the end; what is after "#" was added by a log of what was chosen. */
static void take_command(struct tm_problem *p, const char *at, const char *end)
{
	struct tm_problem_fields *f = p->fields;
	struct word w;

	f->command = true;
	while (!f->failed && next_word(&at, end, &w)) {
		const char *eq = memchr(w.p, '=', w.n);

		if (w.n == 1 && *w.p == '#')
			f->suffix = true;
		else if (f->suffix && eq)
			put_any(p, w.p, (size_t)(eq - w.p), eq + 1, w.n - (size_t)(eq - w.p) - 1);
		else if (is_option(&w))
			take_option(p, w, &at, end);
		else
			put_any(p, "", 0, w.p, w.n);
	}
}

/* ---- profile lines ---- */

/* Where the value at `p` ends: at a comma or the brace, not at those within quotes or brackets. */
static const char *value_end(const char *p, const char *end)
{
	const char close = *p == '(' ? ')' : *p, *stop = NULL;
	size_t n = (size_t)(end - p - 1);

	/* The search for a bracket that never comes must not be long: there may be many. */
	if (*p == '(' && n > COMPLEX_MAX)
		n = COMPLEX_MAX;
	if (*p == '"' || *p == '\'' || *p == '(')
		stop = memchr(p + 1, close, n);
	if (!stop)
		stop = p;
	while (stop < end && *stop != ',' && *stop != '}')
		stop++;
	return stop;
}

/* "key: value, key: "value" }": pairs up to the brace. */
static void take_profile(struct tm_problem *p, const char *at, const char *end)
{
	while (!p->fields->failed) {
		const char *colon, *value, *stop, *next;

		while (at < end && (blank(*at) || *at == ','))
			at++;
		colon = at < end ? memchr(at, ':', (size_t)(end - at)) : NULL;
		if (!colon || *at == '}')
			return;
		value = colon + 1;
		while (value < end && blank(*value))
			value++;
		stop = value < end ? value_end(value, end) : end;
		next = stop;
		while (stop > value && blank(stop[-1]))
			stop--;
		put_any(p, at, (size_t)(colon - at), value, (size_t)(stop - value));
		at = next;
	}
}

/* ---- which of them ---- */

static const struct {
	const char *program;
	enum tm_lib lib;
} programs[] = {
	{ "rocblas-bench", TM_LIB_ROCBLAS },
	{ "hipblaslt-bench", TM_LIB_HIPBLASLT },
	{ "MIOpenDriver", TM_LIB_MIOPEN },
};

/* Where the options after a program's name begin; *name = where that begins; NULL: it names none.
 */
static const char *find_program(const char *s, const char *end, const char **name, enum tm_lib *lib)
{
	const char *found = NULL;

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		const char *at = memmem(s, (size_t)(end - s), programs[i].program,
		                        strlen(programs[i].program));

		if (!at || (found && at > *name))
			continue;
		*lib = programs[i].lib;
		*name = at;
		found = at + strlen(programs[i].program);
	}
	while (found && found < end && !blank(*found))
		found++;
	return found;
}

/* After the brace of a profile line; NULL: it is none. */
static const char *find_profile(const char *s, const char *end, enum tm_lib *lib)
{
	static const char rocblas[] = "rocblas_function:", matmul[] = "function: matmul";
	const char *brace = memchr(s, '{', (size_t)(end - s));

	if (!brace)
		return NULL;
	if (memmem(brace, (size_t)(end - brace), rocblas, sizeof rocblas - 1))
		*lib = TM_LIB_ROCBLAS_FUNCTION;
	else if (memmem(brace, (size_t)(end - brace), matmul, sizeof matmul - 1))
		*lib = TM_LIB_HIPBLASLT;
	else
		return NULL;
	return brace + 1;
}

/* "16320 ./rocblas-bench ...": lists of calls with their counts. */
static void take_count(struct tm_problem *p, const char *s, const char *name)
{
	const char *at = s;
	struct word w;
	uint64_t n;

	if (next_word(&at, name, &w) && at < name && tm_num_u64(w.p, w.n, &n))
		p->call_count = n;
}

/* The word after MIOpenDriver. */
static const char *take_driver(struct tm_problem *p, const char *at, const char *end)
{
	struct word w;

	if (next_word(&at, end, &w))
		tm_problem_set(p->fields, PF_DRIVER, w.p, w.n);
	return at;
}

enum tm_status tm_problem_parse(struct tm_problem *p, enum tm_lib lib, const char *s, size_t n,
                                struct tm_diag *d)
{
	const char *end = s + n, *at = NULL, *name = s;
	enum tm_lib said = lib, whose = lib;

	tm_problem_begin(p, lib);
	if (n > TEXT_MAX) {
		tm_diag_set(d, 0, "text of %zu bytes is too long for a library call", n);
		return TM_ST_SKIP;
	}
	at = n ? find_program(s, end, &name, &whose) : NULL;
	if (p->fields && at) {
		p->lib = whose;
		take_count(p, s, name);
		if (whose == TM_LIB_MIOPEN)
			at = take_driver(p, at, end);
		take_command(p, at, end);
	} else if (p->fields && n && (at = find_profile(s, end, &whose)) != NULL) {
		p->lib = whose;
		take_profile(p, at, end);
	} else if (p->fields && tm_trace_put(p, s, n)) {
		p->lib = TM_LIB_ROCBLAS_TRACE;
	} else if (p->fields) {
		tm_diag_set(d, 0,
		            "neither a command line of a bench client nor a profile or trace line");
		return p->fields->failed ? (tm_diag_oom(d), TM_ST_FATAL) : TM_ST_SKIP;
	}
	switch (tm_problem_end(p, d)) {
	case TM_ST_OK:
		return TM_ST_OK;
	case TM_ST_SKIP:
		p->lib = said;
		return TM_ST_SKIP;
	default:
		return TM_ST_FATAL;
	}
}

bool tm_problem_whole(const char *s, size_t n)
{
	const char *end = s + n, *name = s, *at;
	bool command = true; /* not after a '#' */
	enum tm_lib lib = TM_LIB_N;
	struct word w, value;

	at = n ? find_program(s, end, &name, &lib) : NULL;
	if (!at || (lib == TM_LIB_MIOPEN && (!next_word(&at, end, &w) || is_option(&w))))
		return false;
	while (next_word(&at, end, &w)) {
		const char *here = at;
		bool is_long = w.n > 1 && w.p[1] == '-', more;

		command &= w.n != 1 || *w.p != '#';
		if (!command)
			continue;
		if (!is_option(&w))
			return false;
		if (memchr(w.p, '=', w.n))
			continue;
		more = next_word(&at, end, &value);
		if (more && is_value(&value)) {
			if (!value_whole(&value))
				return false;
			continue;
		}
		if (!more && (lib == TM_LIB_MIOPEN ||
		              !tm_blas_may_end(w.p + 1 + is_long, w.n - 1 - is_long)))
			return false;
		at = here;
	}
	return true;
}

bool tm_problem_key(const struct tm_problem *p, struct tm_buf *b)
{
	const struct tm_buf *part[] = { &p->op, &p->types, &p->shape };
	size_t from = b->n;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		if (!part[i]->n)
			continue;
		if (b->n > from)
			tm_buf_chr(b, ' ');
		tm_buf_add(b, part[i]->p, part[i]->n);
	}
	return !b->failed;
}

void tm_problem_fini(struct tm_problem *p)
{
	struct tm_problem_fields *f = p->fields;

	tm_buf_fini(&p->op);
	tm_buf_fini(&p->types);
	tm_buf_fini(&p->shape);
	tm_buf_fini(&p->settings);
	if (f) {
		tm_buf_fini(&f->text);
		free(f->settings.v);
		free(f->others.v);
		free(f->part);
	}
	free(f);
	*p = (struct tm_problem) { 0 };
}
