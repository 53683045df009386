/* SPDX-License-Identifier: MIT
 * Lines of rocBLAS's trace layer: a function and its arguments by their places, with commas
 * between. */
#include "model/problem_parts.h"

#include "base/base.h"

#include <string.h>

/* No function has more arguments; a complex number is not longer. */
enum { ARGUMENTS_MAX = 40, COMPLEX_MAX = 100 };

static const struct signature {
	const char *op;
	bool ex;
	const char *arguments;
} signatures[] = {
#define TRACE(op_, ex_, arguments_) { .op = op_, .ex = ex_, .arguments = arguments_ },
#include "schemas/rocblas_trace.def"
};

struct text {
	const char *p;
	size_t n;
};

/* A line in its pieces. */
struct line {
	struct text name; /* without "rocblas_" */
	struct text v[ARGUMENTS_MAX];
	size_t n;            /* arguments without the mode of atomics */
	bool torn;           /* too many of them, or that mode is not whole */
	const char *atomics; /* where the comma in front of the mode is, or the end */
};

/* ---- pieces ---- */

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Where the argument at `p` ends: at a comma, not at the one within brackets. */
static const char *argument_end(const char *p, const char *end)
{
	const char *from = p, *close;
	size_t most;

	if (from < end && *from == '\'')
		from++;
	most = (size_t)(end - from) < COMPLEX_MAX ? (size_t)(end - from) : COMPLEX_MAX;
	close = from < end && *from == '(' ? memchr(from, ')', most) : NULL;
	p = memchr(close ? close : p, ',', (size_t)(end - (close ? close : p)));
	return p ? p : end;
}

static bool is_text(struct text t, const char *word)
{
	return t.n == strlen(word) && !memcmp(t.p, word, t.n);
}

/* False: no function and a comma. */
static bool split(const char *s, size_t n, struct line *l)
{
	static const char rocblas[] = "rocblas_", atomics[] = "atomics_";
	const char *p = s, *end = s + n;
	struct text *last;

	if (n < sizeof rocblas - 1 || memcmp(s, rocblas, sizeof rocblas - 1) != 0)
		return false;
	p += sizeof rocblas - 1;
	*l = (struct line) { .name = { .p = p }, .atomics = end };
	while (p < end && name_char(*p))
		p++;
	l->name.n = (size_t)(p - l->name.p);
	if (p == end || *p != ',' || !l->name.n)
		return false;
	while (p < end && l->n < ARGUMENTS_MAX) {
		struct text *v = &l->v[l->n++];

		v->p = p + 1;
		p = argument_end(v->p, end);
		v->n = (size_t)(p - v->p);
	}
	last = &l->v[l->n - 1];
	l->torn = p < end;
	if (last->n >= sizeof atomics - 1 && !memcmp(last->p, atomics, sizeof atomics - 1)) {
		l->torn |= !is_text(*last, "atomics_allowed") &&
		           !is_text(*last, "atomics_not_allowed");
		l->atomics = last->p - 1;
		l->n--;
	}
	return true;
}

/* ---- arguments ---- */

static bool is_address(struct text t)
{
	size_t i = 2;

	if (!t.n || is_text(t, "0") || is_text(t, "(nil)"))
		return true;
	if (t.n <= 2 || memcmp(t.p, "0x", 2) != 0)
		return false;
	while (i < t.n && ((t.p[i] >= '0' && t.p[i] <= '9') || (t.p[i] >= 'a' && t.p[i] <= 'f')))
		i++;
	return i == t.n;
}

static bool is_whole(struct text t)
{
	uint64_t v;

	if (t.n > 1 && *t.p == '-') {
		t.p++;
		t.n--;
	}
	return tm_num_u64(t.p, t.n, &v);
}

static bool is_scalar(struct text t)
{
	double v;

	if (is_text(t, "nan") || is_text(t, ".nan") || is_text(t, "-nan"))
		return true;
	if (t.n > 2 && (*t.p == '\'' || *t.p == '('))
		return t.p[t.n - 1] == (*t.p == '(' ? ')' : '\'');
	return is_address(t) || tm_num_real(t.p, t.n, &v);
}

static bool is_word(struct text t)
{
	size_t i = 0;

	while (i < t.n && (name_char(t.p[i]) || t.p[i] == '-' || t.p[i] == '|'))
		i++;
	return t.n && i == t.n;
}

/* Can that be the value of an argument of this kind? */
static bool looks_like(char kind, struct text t)
{
	switch (kind) {
	case '\'':
		return t.n == 1 && *t.p >= 'A' && *t.p <= 'Z';
	case '*':
		return is_address(t);
	case '~':
		return is_scalar(t);
	case ':':
		return is_word(t);
	default:
		return is_whole(t);
	}
}

/* The next argument of a signature that this function has: its kind, and its name; 0 at the end. */
static char next_argument(const char **at, const struct blas_function *fn, struct text *name)
{
	while (**at) {
		const char *p = *at, kind = *p++;

		name->p = p;
		name->n = strcspn(p, " ");
		*at = p + name->n + strspn(p + name->n, " ");
		if ((kind != '/' || fn->strided) && (kind != '+' || fn->batched))
			return kind;
	}
	return 0;
}

/* Are these all its arguments? */
static bool fits(const struct line *l, const struct signature *s, const struct blas_function *fn)
{
	const char *at = s->arguments;
	struct text name;
	size_t i = 0;
	char kind;

	while ((kind = next_argument(&at, fn, &name)) != 0) {
		if (i == l->n || !looks_like(kind, l->v[i]))
			return false;
		i++;
	}
	return i == l->n;
}

/* ---- lines ---- */

static enum tm_problem_trace look_at(const struct line *l, struct blas_function *fn,
                                     const struct signature **found)
{
	bool known = tm_blas_function(l->name.p, l->name.n, fn), ours = false, any = false;

	for (size_t i = 0; known && i < sizeof signatures / sizeof *signatures; i++) {
		if (strcmp(signatures[i].op, fn->op) != 0 || signatures[i].ex != fn->ex)
			continue;
		*found = &signatures[i];
		any = true;
		ours |= looks_like(*(*found)->arguments, l->v[0]);
		if (!l->torn && fits(l, *found, fn))
			return TM_TRACE_CALL;
	}
	/* Tables of what functions took begin with a name and a comma too. */
	return ours ? TM_TRACE_TORN : any ? TM_TRACE_NO_CALL : TM_TRACE_UNKNOWN;
}

static bool computes_nothing(struct text name)
{
	static const char *const words[] = {
#define NO_CALL(word) word,
#include "schemas/rocblas_trace.def"
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (name.n >= strlen(words[i]) && !memcmp(name.p, words[i], strlen(words[i])))
			return true;
	return false;
}

enum tm_problem_trace tm_problem_trace(const char *s, size_t n, struct tm_buf *text)
{
	const struct signature *found;
	struct blas_function fn;
	struct line l;
	enum tm_problem_trace what;
	const char *at;
	struct text name;

	if (!split(s, n, &l) || computes_nothing(l.name))
		return TM_TRACE_NO_CALL;
	what = look_at(&l, &fn, &found);
	if (what != TM_TRACE_CALL)
		return what;
	tm_buf_clear(text);
	tm_buf_add(text, s, (size_t)(l.v[0].p - 1 - s));
	at = found->arguments;
	for (size_t i = 0; i < l.n; i++) {
		char kind = next_argument(&at, &fn, &name);

		tm_buf_chr(text, ',');
		if (kind != '*' && (kind != '~' || l.v[i].n < 2 || memcmp(l.v[i].p, "0x", 2) != 0))
			tm_buf_add(text, l.v[i].p, l.v[i].n);
	}
	tm_buf_add(text, l.atomics, (size_t)(s + n - l.atomics));
	return TM_TRACE_CALL;
}

bool tm_trace_put(struct tm_problem *p, const char *s, size_t n)
{
	const struct signature *found;
	struct blas_function fn;
	struct line l;
	const char *at;
	struct text name = { 0 };

	if (!split(s, n, &l) || look_at(&l, &fn, &found) != TM_TRACE_CALL)
		return false;
	p->lib = TM_LIB_ROCBLAS_TRACE;
	tm_problem_set(p->fields, PF_FUNCTION, l.name.p, l.name.n);
	at = found->arguments;
	for (size_t i = 0; i < l.n; i++) {
		char kind = next_argument(&at, &fn, &name);

		if (kind != '*' && l.v[i].n && (l.v[i].n < 2 || memcmp(l.v[i].p, "0x", 2) != 0))
			tm_problem_put(p, name.p, name.n, l.v[i].p, l.v[i].n);
	}
	if (l.atomics < s + n)
		tm_problem_put(p, l.atomics + 1, (size_t)(s + n - l.atomics - 1), "", 0);
	return true;
}
