/* SPDX-License-Identifier: MIT
 * Calls that a library logged, matched to kernels of no known operator.  A log has no times: what
 * joins the two is the name of the kernel that Tensile says it runs after the call ("Running
 * kernel:", or rocBLAS's "# ... kernel="), and the order.
 *
 *   1. Each time the log has a kernel, it is for the same problem: all of its dispatches are.
 *   2. It has several problems, and the log has the kernel as often as one process dispatched it:
 *   the
 *      n-th is the n-th.
 *   3. The log names no kernels, and has as many calls as there are matrix kernels, of types that
 *   are
 *      those of the kernels' names: the n-th is the n-th.  MIOpen never names them: so are its
 *      convolutions and the kernels of that class.
 *
 * All that of one process, since one wrote the log.  Whatever else is left unmatched. */
#include "metric/inside/roofline_match.h"

#include "io/io.h"
#include "read/library/library.h"

#include <stdlib.h>
#include <string.h>

/* A kernel in the log, or with `kernel` TM_NAME_NONE a call without one. */
struct logged {
	uint32_t kernel;  /* name */
	uint32_t problem; /* in log.problem, + 1; 0 = it is not clear which */
};

enum { GEMM_KINDS = 2, CONV_KIND = GEMM_KINDS, KINDS };

struct log {
	struct match *m;
	struct tm_lib_calls calls;
	struct label_work *problem; /* nproblem of them */
	size_t nproblem, problem_cap;
	uint32_t *problem_of[KINDS]; /* of each text of the kinds, + 1; UINT32_MAX = none */
	struct logged *v;            /* n of them, in the order of the log */
	size_t n, cap;
	struct logged *conv; /* nconv of them: convolutions of MIOpen */
	size_t nconv, conv_cap;
	bool named; /* some kernels are */
};

static const struct {
	enum tm_lib_call_kind kind;
	enum tm_lib lib;
} kinds[KINDS] = { { TM_CALL_ROCBLAS, TM_LIB_ROCBLAS },
	           { TM_CALL_HIPBLASLT, TM_LIB_HIPBLASLT },
	           { TM_CALL_MIOPEN, TM_LIB_MIOPEN } };

/* Which of them a call is; KINDS = none. */
static int kind_of(const struct tm_lib_called *c)
{
	int i = 0;

	while (i < KINDS && c->kind != kinds[i].kind)
		i++;
	return i;
}

/* ---- the log ---- */

/* "TN 4096x128x4096 batch=8": the sizes of a product. */
static void sizes_of(struct label_work *w, const struct tm_problem *p)
{
	const char *at = p->shape.p, *batch = strstr(p->shape.p, " batch=");
	char *end;

	if (strcmp(p->op.p, "gemm") != 0 || strchr(at, '+') || !(at = strchr(at, ' ')))
		return;
	w->m = strtoull(at + 1, &end, 10);
	w->n = *end == 'x' ? strtoull(end + 1, &end, 10) : 0;
	w->k = w->n && *end == 'x' ? strtoull(end + 1, &end, 10) : 0;
	w->batch = batch ? strtoull(batch + 7, NULL, 10) : 1;
	w->is_product = w->m && w->n && w->k && w->batch;
}

/* The type of the factors, where both have one: "bf16_r;f32_r", "f8_r,f8_r,bf16_r,bf16_r;f32_r". */
static size_t type_of(const char *types)
{
	size_t n = strcspn(types, ",;"), next;

	if (types[n] != ',')
		return n;
	next = strcspn(types + n + 1, ",;");
	return next == n && !memcmp(types, types + n + 1, n) ? n : 0;
}

/* The problem of a text; *at = its number + 1, 0 = it has no known work.  False when out of memory.
 */
static bool add_problem(struct log *l, enum tm_lib lib, const struct tm_name *text, uint32_t *at)
{
	struct tm_names *names = &l->m->f->names;
	struct tm_problem p = { 0 };
	struct tm_diag d = { 0 };
	enum tm_status st = tm_problem_parse(&p, lib, text->text, text->len, &d);
	struct label_work w = { .how = TM_OP_WORK, .asked = true };
	bool ok = st != TM_ST_FATAL;

	*at = 0;
	if (st == TM_ST_OK && p.has_flops) {
		w.op = tm_names_add(names, p.op.p, p.op.n);
		w.problem = tm_names_add(names, p.shape.p, p.shape.n);
		w.type = tm_names_add(names, p.types.p, type_of(p.types.p));
		w.flops = p.flops;
		w.has_bytes = p.has_bytes;
		w.bytes = p.bytes;
		sizes_of(&w, &p);
		ok = w.op != TM_NAME_NONE && w.problem != TM_NAME_NONE && w.type != TM_NAME_NONE;
		for (size_t i = 0; ok && !*at && i < l->nproblem; i++)
			if (l->problem[i].op == w.op && l->problem[i].problem == w.problem &&
			    l->problem[i].type == w.type && l->problem[i].bytes == w.bytes)
				*at = (uint32_t)i + 1;
		if (ok && !*at) {
			ok = tm_grow_array(&l->problem, &l->problem_cap, l->nproblem + 1,
			                   sizeof *l->problem);
			if (ok) {
				l->problem[l->nproblem++] = w;
				*at = (uint32_t)l->nproblem;
			}
		}
	}
	tm_problem_fini(&p);
	return ok;
}

/* The problem of each text of a kind. */
static bool find_problems(struct log *l, int which)
{
	const struct tm_names *texts = &l->calls.set[kinds[which].kind].texts;

	l->problem_of[which] = calloc((size_t)texts->n + 1, sizeof *l->problem_of[which]);
	for (uint32_t i = 0; l->problem_of[which] && i < texts->n; i++)
		if (!add_problem(l, kinds[which].lib, &texts->v[i], &l->problem_of[which][i]))
			return false;
	return l->problem_of[which] != NULL;
}

/* What a kernel is called where all are; TM_NAME_NONE when out of memory. */
static uint32_t name_of(struct log *l, const char *p, size_t n)
{
	tm_buf_clear(&l->m->text);
	if (!tm_kernel_name(&l->m->text, p, n, TM_NAME_FULL))
		return TM_NAME_NONE;
	return tm_names_add(&l->m->f->names, l->m->text.p ? l->m->text.p : "", l->m->text.n);
}

static bool add(struct log *l, uint32_t kernel, uint32_t problem)
{
	if (!tm_grow_array(&l->v, &l->cap, l->n + 1, sizeof *l->v))
		return false;
	l->v[l->n++] = (struct logged) { kernel, problem };
	return true;
}

/* The kernel that the text of a call names after "# source=tensile kernel="; n 0 = none. */
static const char *chosen(const struct tm_name *text, size_t *n)
{
	static const char word[] = " kernel=";
	const char *hash = memmem(text->text, text->len, " # ", 3), *end = text->text + text->len,
	           *at = hash ? memmem(hash, (size_t)(end - hash), word, sizeof word - 1) : NULL;

	*n = at ? strcspn(at + sizeof word - 1, " ") : 0;
	return at ? at + sizeof word - 1 : NULL;
}

/* Calls and kernels one after the other.  A kernel is of the call before it; of several calls
 * without a kernel between them it may be of any, unless these are one problem. */
static bool walk(struct log *l)
{
	uint32_t open = 0, kernel;
	bool several = false, fresh = true, ok = true;

	for (size_t i = 0; ok && i < l->calls.norder; i++) {
		const struct tm_lib_called *c = &l->calls.order[i];
		const struct tm_name *text = &l->calls.set[c->kind].texts.v[c->text];
		size_t n = 0;

		if (c->kind == TM_CALL_TENSILE) {
			kernel = name_of(l, text->text, text->len);
			ok = kernel != TM_NAME_NONE && add(l, kernel, several ? 0 : open);
			l->named = fresh = true;
			continue;
		}
		if (kind_of(c) >= GEMM_KINDS)
			continue;
		several = !fresh && (several || open != l->problem_of[kind_of(c)][c->text]);
		open = l->problem_of[kind_of(c)][c->text];
		fresh = false;
		if (chosen(text, &n) && n) {
			kernel = name_of(l, chosen(text, &n), n);
			ok = kernel != TM_NAME_NONE && add(l, kernel, open);
			l->named = fresh = true;
			several = false;
		}
	}
	return ok;
}

/* The same where no kernel is named; not where both libraries log, perhaps the same calls. */
static bool walk_calls(struct log *l)
{
	bool both = l->calls.set[kinds[0].kind].texts.n && l->calls.set[kinds[1].kind].texts.n,
	     ok = true;

	for (size_t i = 0; ok && !both && i < l->calls.norder; i++) {
		const struct tm_lib_called *c = &l->calls.order[i];

		if (kind_of(c) < GEMM_KINDS)
			ok = add(l, TM_NAME_NONE, l->problem_of[kind_of(c)][c->text]);
	}
	return ok;
}

/* Convolutions that MIOpen executed; other operations of it run no kernels of that class. */
static bool walk_convolutions(struct log *l)
{
	for (size_t i = 0; i < l->calls.norder; i++) {
		const struct tm_lib_called *c = &l->calls.order[i];
		uint32_t problem = kind_of(c) == CONV_KIND ? l->problem_of[CONV_KIND][c->text] : 0;

		if (!problem)
			continue;
		if (!tm_grow_array(&l->conv, &l->conv_cap, l->nconv + 1, sizeof *l->conv))
			return false;
		l->conv[l->nconv++] = (struct logged) { TM_NAME_NONE, problem };
	}
	return true;
}

static bool read_log(struct log *l, const char *path, struct tm_diag *d)
{
	struct tm_source *s = tm_source_open(path, d);
	enum tm_status st;

	if (!s)
		return false;
	l->calls.in_order = true;
	st = tm_lib_log_read(&l->calls, s, d);
	tm_source_close(s);
	return st == TM_ST_OK;
}

/* ---- kernels ---- */

static bool one_process(const struct loose *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i].track != v[0].track)
			return false;
	return true;
}

static bool take_row(struct match *m, const struct loose *v, const struct label_work *w)
{
	m->rank = v->rank;
	return tm_roofline_row(m, w, &v->part, 1, NULL, "log");
}

static bool leave_all(struct match *m, const struct loose *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tm_roofline_lack(m,
		                 v[i].why == LACK_LAUNCH || v[i].why == LACK_OUTSIDE ? LACK_LOG
		                                                                     : v[i].why,
		                 v[i].rank, &v[i].part);
	return true;
}

/* All n dispatches of one kernel, process after process, each in the order of its starts. */
static bool match_kernel(struct log *l, const struct loose *v, size_t n, uint32_t name)
{
	uint32_t same = 0, unclear = 0;
	size_t times = 0, at = 0;
	bool ok = true;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].kernel != name)
			continue;
		unclear += !l->v[i].problem || (times && l->v[i].problem != same);
		same = l->v[i].problem;
		times++;
	}
	/* One process wrote the log: which, is not known. */
	if (!times || !one_process(v, n))
		return leave_all(l->m, v, n);
	if (!unclear && n <= times) {
		for (size_t i = 0; ok && i < n; i++)
			ok = take_row(l->m, &v[i], &l->problem[same - 1]);
		return ok;
	}
	if (times != n)
		return leave_all(l->m, v, n);
	for (size_t i = 0; ok && i < l->n; i++) {
		if (l->v[i].kernel != name)
			continue;
		ok = l->v[i].problem ? take_row(l->m, &v[at], &l->problem[l->v[i].problem - 1])
		                     : leave_all(l->m, &v[at], 1);
		at++;
	}
	return ok;
}

/* Does the name of the kernel not say another type than the problem has? */
static bool types_fit(const struct log *l, const struct loose *v, const struct logged *c)
{
	const struct tm_name *names = l->m->f->names.v,
	                     *nm = &names[l->m->launch[v->part.launch].name - 1];
	struct tm_kernel_facts f = tm_kernel_facts(nm->text, nm->len);
	const char *type;

	if (!c->problem)
		return false;
	type = names[l->problem[c->problem - 1].type].text;
	return f.type && !strncmp(type, f.type, strlen(f.type)) && type[strlen(f.type)] == '_';
}

/* By order alone: v in the order of the starts, and the calls c. */
static bool match_order(struct log *l, const struct loose *v, size_t n, const struct logged *c,
                        size_t calls)
{
	bool fits = n == calls && one_process(v, n), ok = true;

	for (size_t i = 0; fits && i < n; i++)
		fits = types_fit(l, &v[i], &c[i]);
	if (!fits)
		return leave_all(l->m, v, n);
	for (size_t i = 0; ok && i < n; i++)
		ok = take_row(l->m, &v[i], &l->problem[c[i].problem - 1]);
	return ok;
}

static int by_start(const void *pa, const void *pb)
{
	const struct loose *a = pa, *b = pb;
	int c = tm_u64_cmp(a->track, b->track);

	c = c ? c : tm_u64_cmp(a->part.start, b->part.start);
	return c ? c : tm_u64_cmp(a->part.ns, b->part.ns);
}

/* Those that are no convolutions first. */
static int by_kind(const void *pa, const void *pb, void *arg)
{
	const struct loose *a = pa, *b = pb;
	const struct match *m = arg;
	int c = m->launch[a->part.launch].conv - m->launch[b->part.launch].conv;

	return c ? c : by_start(a, b);
}

static int by_name(const void *pa, const void *pb, void *arg)
{
	const struct loose *a = pa, *b = pb;
	const struct match *m = arg;
	const struct tm_name *names = m->f->names.v;
	int c = tm_name_cmp(&names[m->launch[a->part.launch].name - 1],
	                    &names[m->launch[b->part.launch].name - 1]);

	return c ? c : by_start(a, b);
}

static bool match_names(struct log *l, struct loose *v, size_t n)
{
	struct match *m = l->m;
	bool ok = true;

	qsort_r(v, n, sizeof *v, by_name, m);
	for (size_t i = 0, k; ok && i < n; i = k) {
		uint32_t name = m->launch[v[i].part.launch].name;

		for (k = i + 1; k < n && m->launch[v[k].part.launch].name == name;)
			k++;
		ok = match_kernel(l, v + i, k - i, name - 1);
	}
	return ok;
}

static bool match_all(struct log *l)
{
	struct loose *v = l->m->loose;
	size_t n = l->m->nloose, others = n;

	qsort_r(v, n, sizeof *v, by_kind, l->m);
	/* Without convolutions in the log, kernels of theirs may still be named there. */
	while (l->nconv && others && l->m->launch[v[others - 1].part.launch].conv)
		others--;
	if (others < n && !match_order(l, v + others, n - others, l->conv, l->nconv))
		return false;
	if (!others)
		return true;
	if (l->named)
		return match_names(l, v, others);
	if (!l->nconv)
		qsort(v, n, sizeof *v, by_start);
	return match_order(l, v, others, l->v, l->n);
}

bool tm_roofline_log(struct match *m, const char *path, struct tm_diag *d)
{
	struct log l = { .m = m };
	bool ok = read_log(&l, path, d);

	if (ok)
		ok = find_problems(&l, 0) && find_problems(&l, 1) && find_problems(&l, CONV_KIND) &&
		     walk(&l) && (l.named || walk_calls(&l)) && walk_convolutions(&l) &&
		     (!m->nloose || match_all(&l));
	tm_lib_calls_fini(&l.calls);
	free(l.problem);
	for (int i = 0; i < KINDS; i++)
		free(l.problem_of[i]);
	free(l.v);
	free(l.conv);
	return ok;
}
