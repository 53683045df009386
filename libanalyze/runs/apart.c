/* SPDX-License-Identifier: MIT */
#include "runs/apart.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE = (sizeof(struct apart) + 63) / 64 * 64 };

void *apart_watched(struct apart *a)
{
	return (char *)a + INSIDE;
}

static bool init(void *acc, const void *arg)
{
	struct apart *a = acc;
	const struct apart_opts *how = arg;

	*a = (struct apart) { .how = how, .sink = *how->sink, .keys = { .words = 2 } };
	return a->sink.init(apart_watched(a), a->sink.arg);
}

/* The number of a text that may be absent; false when out of memory. */
static bool number(struct apart *a, const char *text, uint32_t *id)
{
	*id = text ? names_add(&a->names, text, strlen(text)) : NAME_NONE;
	return !text || *id != NAME_NONE;
}

/* The run of that name, added if new; NULL when out of memory. */
static struct apart_run *run_of(struct apart *a, uint64_t rank, uint32_t run)
{
	const uint64_t key[2] = { rank, run };
	bool fresh;
	uint32_t i = groups_item(&a->keys, key, &a->v, &a->cap, sizeof *a->v, &fresh);

	if (i == GROUP_NONE)
		return NULL;
	if (fresh)
		a->v[i] = (struct apart_run) {
			.rank = rank,
			.span = { .rank = rank, .first = UINT64_MAX, .work_first = UINT64_MAX },
			.path = NAME_NONE,
			.run = run,
			.host = NAME_NONE,
			.clock = NAME_NONE,
			.given = true,
		};
	a->at = i;
	return &a->v[i];
}

static struct apart_run *run_of_piece(struct apart *a, const struct piece *p)
{
	uint32_t run = names_add(&a->names, p->run, strlen(p->run));

	return run == NAME_NONE ? NULL : run_of(a, p->rank, run);
}

/* Does the first of two names come first?  One that is not known comes last. */
static bool is_less(const struct apart *a, uint32_t x, uint32_t y)
{
	return x != NAME_NONE && (y == NAME_NONE || name_cmp(&a->names.v[x], &a->names.v[y]) < 0);
}

/* Files come in the order the workers have them: the least path, host and clock stand for all of a
 * run. */
static void keep_least(const struct apart *a, uint32_t *at, uint32_t name)
{
	if (is_less(a, name, *at))
		*at = name;
}

static bool piece(void *acc, const struct piece *p)
{
	struct apart *a = acc;
	struct apart_run *r = run_of_piece(a, p);
	uint32_t path;

	if (!r || !number(a, p->path, &path))
		return false;
	keep_least(a, &r->path, path);
	r->given &= p->rule == RANK_GIVEN;
	r->aligned |= p->origin && p->origin->method && strcmp(p->origin->method, "none") != 0;
	metric_window(a->how->o, p->rank, &a->window);
	return a->sink.piece(apart_watched(a), p);
}

static bool take(void *acc, const struct batch *b)
{
	struct apart *a = acc;

	span_widen(&a->v[a->at].span, &a->v[a->at].gpu_ns, b, a->window);
	return a->sink.take(apart_watched(a), b);
}

static void add_realtime(const struct apart *a, struct apart_run *to, uint32_t clock,
                         const struct realtime *r)
{
	struct realtime *into = &to->realtime;

	if (!r->readings || (into->readings && is_less(a, to->clock, clock)))
		return;
	if (into->readings && is_less(a, clock, to->clock))
		*into = (struct realtime) { 0 };
	to->clock = clock;
	realtime_merge(into, r);
}

/* What a trace says of its clock is sure at its end. */
static bool done(void *acc, const struct piece *p, const struct loss *l, const struct diag *why)
{
	struct apart *a = acc;
	struct apart_run *r = run_of_piece(a, p);
	uint32_t host, clock;

	if (!r || !number(a, p->host, &host) || !number(a, p->clock, &clock))
		return false;
	keep_least(a, &r->host, host);
	add_realtime(a, r, clock, &p->realtime);
	return !a->sink.done || a->sink.done(apart_watched(a), p, l, why);
}

/* The same text in another set; false when out of memory. */
static bool carry(struct apart *into, const struct apart *from, uint32_t id, uint32_t *out)
{
	const struct name *nm = id == NAME_NONE ? NULL : &from->names.v[id];

	*out = nm ? names_add(&into->names, nm->text, nm->len) : NAME_NONE;
	return !nm || *out != NAME_NONE;
}

static bool merge_run(struct apart *a, const struct apart *f, const struct apart_run *r)
{
	uint32_t run, path, host, clock;
	struct apart_run *to;

	if (!carry(a, f, r->run, &run) || !carry(a, f, r->path, &path) ||
	    !carry(a, f, r->host, &host) || !carry(a, f, r->clock, &clock))
		return false;
	to = run_of(a, r->rank, run);
	if (!to)
		return false;
	keep_least(a, &to->path, path);
	keep_least(a, &to->host, host);
	add_realtime(a, to, clock, &r->realtime);
	to->given &= r->given;
	to->aligned |= r->aligned;
	to->gpu_ns += r->gpu_ns;
	span_join(&to->span, &r->span);
	return true;
}

static bool merge(void *into, void *from)
{
	struct apart *a = into, *f = from;

	for (uint32_t i = 0; i < f->keys.n; i++) {
		if (!merge_run(a, f, &f->v[i]))
			return false;
		/* Merged early, it is filled further: what is there now is not to come again. */
		f->v[i].gpu_ns = 0;
		f->v[i].realtime = (struct realtime) { 0 };
	}
	return a->sink.merge(apart_watched(a), apart_watched(f));
}

static void fini(void *acc)
{
	struct apart *a = acc;

	names_fini(&a->names);
	groups_fini(&a->keys);
	free(a->v);
	a->sink.fini(apart_watched(a));
}

static size_t held(const void *acc)
{
	const struct apart *a = acc;

	return a->sink.held((const char *)a + INSIDE);
}

struct event_sink apart_watch(const struct apart_opts *how)
{
	return (struct event_sink) { .size = INSIDE + how->sink->size,
		                     .arg = how,
		                     .init = init,
		                     .piece = piece,
		                     .take = take,
		                     .merge = merge,
		                     .fini = fini,
		                     .done = done,
		                     .held = how->sink->held ? held : NULL };
}

/* ---- what they say ---- */

static bool works(const struct apart_run *r)
{
	return r->span.work_first <= r->span.work_last;
}

static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct apart *a = arg;
	const struct apart_run *x = &a->v[*(const uint32_t *)pa], *y = &a->v[*(const uint32_t *)pb];

	if (x->rank != y->rank)
		return x->rank > y->rank ? 1 : -1;
	if (x->span.work_first != y->span.work_first)
		return x->span.work_first > y->span.work_first ? 1 : -1;
	if (x->span.work_last != y->span.work_last)
		return x->span.work_last > y->span.work_last ? 1 : -1;
	return name_cmp(&a->names.v[x->run], &a->names.v[y->run]);
}

/* Runs with GPU work, by rank and time: *n of them; NULL when out of memory. */
static uint32_t *in_order(const struct apart *a, size_t *n)
{
	uint32_t *v = malloc((a->keys.n + (size_t)1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v && i < a->keys.n; i++)
		if (works(&a->v[i]))
			v[(*n)++] = i;
	if (v)
		qsort_r(v, *n, sizeof *v, by_time, (void *)(uintptr_t)a);
	return v;
}

/* Two runs of a rank, and why they are apart. */
struct gulf {
	const struct apart_run *one, *other;
	enum { TOGETHER, BY_HOST, BY_BOOT, BY_TIME } why;
	uint64_t ns; /* how far */
};

/* Between the moments at which the clocks of two runs began, beyond what the readings leave open.
 */
static uint64_t boots_apart(const struct realtime *a, const struct realtime *b)
{
	uint64_t x = realtime_middle(a), y = realtime_middle(b), d = x > y ? x - y : y - x, error;

	if (__builtin_add_overflow(realtime_error(a), realtime_error(b), &error))
		return 0;
	return d > error ? d - error : 0;
}

/* The run that ends last of those of n that were given their rank, or NULL. */
static const struct apart_run *last_given(const struct apart *a, const uint32_t *v, size_t n)
{
	const struct apart_run *last = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct apart_run *r = &a->v[v[i]];

		if (r->given && (!last || r->span.work_last > last->span.work_last))
			last = r;
	}
	return last;
}

/* Of n runs of a rank, by time. */
static struct gulf find_gulf(const struct apart *a, const uint32_t *v, size_t n)
{
	const struct apart_run *host = NULL, *boot = NULL, *last = &a->v[v[0]];
	const struct apart_run *given = last_given(a, v, n);
	struct gulf g = { .why = TOGETHER };

	for (size_t i = 0; i < n; i++) {
		const struct apart_run *r = &a->v[v[i]];

		if (i && r->span.work_first > last->span.work_last)
			g = (struct gulf) { last, r, BY_TIME,
				            r->span.work_first - last->span.work_last };
		if (host && !r->aligned && r->host != NAME_NONE && r->host != host->host)
			g = (struct gulf) { host, r, BY_HOST, 0 };
		else if (boot && !r->aligned && r->realtime.readings && r->clock == boot->clock &&
		         boots_apart(&boot->realtime, &r->realtime) > APART_BOOT_NS)
			g = (struct gulf) { boot, r, BY_BOOT,
				            boots_apart(&boot->realtime, &r->realtime) };
		if (g.why != TOGETHER)
			return g;
		if (!host && !r->aligned && r->host != NAME_NONE)
			host = r;
		if (!boot && !r->aligned && r->realtime.readings)
			boot = r;
		/* What was given the rank reaches to the last of that. */
		if (r->given)
			r = given;
		if (r->span.work_last > last->span.work_last)
			last = r;
	}
	return g;
}

static const char *text_of(const struct apart *a, uint32_t id)
{
	return id == NAME_NONE ? "" : a->names.v[id].text;
}

static void tell(const struct apart *a, const struct gulf *g, uint64_t more, enum severity severity,
                 const char *then, struct report *rep)
{
	const struct apart_run *x = g->one, *y = g->other;
	struct buf b = { 0 };

	if (g->why == BY_HOST)
		buf_fmt(&b, "is of machine '%.100s', this one of '%.100s'", text_of(a, x->host),
		        text_of(a, y->host));
	else if (g->why == BY_BOOT)
		buf_fmt(&b,
		        "is of another boot: its clock began %" PRIu64
		        " s before or after that of this one",
		        g->ns / 1000000000);
	else
		buf_fmt(&b, "ends %" PRIu64 " ns before this one begins", g->ns);
	if (more)
		buf_fmt(&b, " (so it is on %" PRIu64 " more rank%s)", more, more == 1 ? "" : "s");
	if (b.failed)
		rep->lost = true;
	else
		report_add(rep, severity, text_of(a, y->path), 0,
		           "another run of rank %" PRIu64
		           ", %.200s, %s: they have no common window; %s",
		           x->rank, text_of(a, x->path), b.p, then);
	buf_fini(&b);
}

bool apart_tell(const struct apart *a, enum severity severity, const char *then, struct report *rep)
{
	struct gulf first = { .why = TOGETHER };
	uint64_t more = 0;
	size_t n;
	uint32_t *v = in_order(a, &n);

	rep->lost |= !v;
	for (size_t i = 0, end; v && i < n; i = end) {
		struct gulf g;

		for (end = i + 1; end < n && a->v[v[end]].rank == a->v[v[i]].rank;)
			end++;
		g = find_gulf(a, v + i, end - i);
		if (g.why == TOGETHER)
			continue;
		if (first.why == TOGETHER)
			first = g;
		else
			more++;
	}
	free(v);
	if (first.why != TOGETHER)
		tell(a, &first, more, severity, then, rep);
	return first.why != TOGETHER;
}

bool apart_tell_idle(const struct apart *a, struct report *rep)
{
	size_t n;
	uint32_t *v = in_order(a, &n);
	bool found = false;

	rep->lost |= !v;
	for (size_t i = 0, end; v && i < n && !found; i = end) {
		uint64_t first = a->v[v[i]].span.work_first, last = 0;
		uint32_t path = NAME_NONE;
		u128 gpu = 0;

		for (end = i; end < n && a->v[v[end]].rank == a->v[v[i]].rank; end++) {
			const struct apart_run *r = &a->v[v[end]];

			last = r->span.work_last > last ? r->span.work_last : last;
			gpu += r->gpu_ns;
			keep_least(a, &path, r->path);
		}
		found = last - first >= APART_LONG_NS && gpu * APART_TIMES < last - first;
		if (found)
			report_add(rep, SEV_NOTE, text_of(a, path), 0,
			           "rank %" PRIu64 ": all GPU work takes %" PRIu64
			           " ns of the %" PRIu64
			           " ns from its first to its last; if those are several runs, "
			           "-w asks for one of them",
			           a->v[v[i]].rank, (uint64_t)gpu, last - first);
	}
	free(v);
	return found;
}
