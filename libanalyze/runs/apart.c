/* SPDX-License-Identifier: MIT */
#include "runs/apart.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE = (sizeof(struct tm_apart) + 63) / 64 * 64 };

void *tm_apart_watched(struct tm_apart *a)
{
	return (char *)a + INSIDE;
}

static bool init(void *acc, const void *arg)
{
	struct tm_apart *a = acc;
	const struct tm_apart_opts *how = arg;

	*a = (struct tm_apart) { .how = how, .sink = *how->sink, .keys = { .words = 2 } };
	return a->sink.init(tm_apart_watched(a), a->sink.arg);
}

/* The number of a text that may be absent; false when out of memory. */
static bool number(struct tm_apart *a, const char *text, uint32_t *id)
{
	*id = text ? tm_names_add(&a->names, text, strlen(text)) : TM_NAME_NONE;
	return !text || *id != TM_NAME_NONE;
}

/* The run of that name, added if new; NULL when out of memory. */
static struct tm_apart_run *run_of(struct tm_apart *a, uint64_t rank, uint32_t run)
{
	const uint64_t key[2] = { rank, run };
	bool fresh;
	uint32_t i = tm_groups_item(&a->keys, key, &a->v, &a->cap, sizeof *a->v, &fresh);

	if (i == TM_GROUP_NONE)
		return NULL;
	if (fresh)
		a->v[i] = (struct tm_apart_run) {
			.rank = rank,
			.span = { .rank = rank, .first = UINT64_MAX, .work_first = UINT64_MAX },
			.inside = { .rank = rank, .first = UINT64_MAX, .work_first = UINT64_MAX },
			.path = TM_NAME_NONE,
			.run = run,
			.host = TM_NAME_NONE,
			.clock = TM_NAME_NONE,
			.given = true,
		};
	a->at = i;
	return &a->v[i];
}

static struct tm_apart_run *run_of_piece(struct tm_apart *a, const struct tm_piece *p)
{
	uint32_t run = tm_names_add(&a->names, p->id.run, strlen(p->id.run));

	return run == TM_NAME_NONE ? NULL : run_of(a, p->id.rank, run);
}

/* Does the first of two names come first?  One that is not known comes last. */
static bool is_less(const struct tm_apart *a, uint32_t x, uint32_t y)
{
	return x != TM_NAME_NONE &&
	       (y == TM_NAME_NONE || tm_name_cmp(&a->names.v[x], &a->names.v[y]) < 0);
}

/* Files come in the order the workers have them: the least path, host and clock stand for all of a
 * run. */
static void keep_least(const struct tm_apart *a, uint32_t *at, uint32_t name)
{
	if (is_less(a, name, *at))
		*at = name;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tm_apart *a = acc;
	struct tm_apart_run *r = run_of_piece(a, p);
	uint32_t path;

	if (!r || !number(a, p->id.path, &path))
		return false;
	keep_least(a, &r->path, path);
	r->given &= p->id.rule == TM_RANK_GIVEN;
	r->aligned |= p->origin && p->origin->method && strcmp(p->origin->method, "none") != 0;
	tm_metric_window(a->how->o, p->id.rank, &a->window);
	return a->sink.piece(tm_apart_watched(a), p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	static const struct tm_extent all = { 0, UINT64_MAX };
	struct tm_apart *a = acc;
	struct tm_apart_run *r = &a->v[a->at];
	const bool whole = a->window.lo == all.lo && a->window.hi == all.hi;
	tm_u128 all_ns = 0;

	tm_span_widen(&r->span, whole ? &r->gpu_ns : &all_ns, b, all);
	if (whole)
		r->inside = r->span;
	else
		tm_span_widen(&r->inside, &r->gpu_ns, b, a->window);
	return a->sink.take(tm_apart_watched(a), b);
}

static void add_realtime(const struct tm_apart *a, struct tm_apart_run *to, uint32_t clock,
                         const struct tm_realtime *r)
{
	struct tm_realtime *into = &to->realtime;

	if (!r->readings || (into->readings && is_less(a, to->clock, clock)))
		return;
	if (into->readings && is_less(a, clock, to->clock))
		*into = (struct tm_realtime) { 0 };
	to->clock = clock;
	tm_realtime_merge(into, r);
}

/* What a trace says of its clock is sure at its end. */
static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct tm_apart *a = acc;
	struct tm_apart_run *r = run_of_piece(a, p);
	uint32_t host, clock;

	if (!r || !number(a, p->id.host, &host) || !number(a, p->id.clock, &clock))
		return false;
	keep_least(a, &r->host, host);
	add_realtime(a, r, clock, &p->id.realtime);
	return !a->sink.done || a->sink.done(tm_apart_watched(a), p, l, why);
}

/* The same text in another set; false when out of memory. */
static bool carry(struct tm_apart *into, const struct tm_apart *from, uint32_t id, uint32_t *out)
{
	const struct tm_name *nm = id == TM_NAME_NONE ? NULL : &from->names.v[id];

	*out = nm ? tm_names_add(&into->names, nm->text, nm->len) : TM_NAME_NONE;
	return !nm || *out != TM_NAME_NONE;
}

static bool merge_run(struct tm_apart *a, const struct tm_apart *f, const struct tm_apart_run *r)
{
	uint32_t run, path, host, clock;
	struct tm_apart_run *to;

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
	tm_span_join(&to->span, &r->span);
	tm_span_join(&to->inside, &r->inside);
	return true;
}

static bool merge(void *into, void *from)
{
	struct tm_apart *a = into, *f = from;

	for (uint32_t i = 0; i < f->keys.n; i++) {
		if (!merge_run(a, f, &f->v[i]))
			return false;
		/* Merged early, it is filled further: what is there now is not to come again. */
		f->v[i].gpu_ns = 0;
		f->v[i].realtime = (struct tm_realtime) { 0 };
	}
	return a->sink.merge(tm_apart_watched(a), tm_apart_watched(f));
}

static void fini(void *acc)
{
	struct tm_apart *a = acc;

	tm_names_fini(&a->names);
	tm_groups_fini(&a->keys);
	free(a->v);
	a->sink.fini(tm_apart_watched(a));
}

static size_t held(const void *acc)
{
	const struct tm_apart *a = acc;

	return a->sink.held((const char *)a + INSIDE);
}

struct tm_event_sink tm_apart_watch(const struct tm_apart_opts *how)
{
	return (struct tm_event_sink) { .size = INSIDE + how->sink->size,
		                        .arg = how,
		                        .init = init,
		                        .piece = piece,
		                        .take = take,
		                        .merge = merge,
		                        .fini = fini,
		                        .done = done,
		                        .mixed = how->sink->mixed,
		                        .held = how->sink->held ? held : NULL };
}

/* ---- what they say ---- */

static bool works(const struct tm_span *s)
{
	return s->work_first <= s->work_last;
}

static int by_time(const void *pa, const void *pb, void *arg)
{
	const struct tm_apart *a = arg;
	const struct tm_apart_run *x = &a->v[*(const uint32_t *)pa],
	                          *y = &a->v[*(const uint32_t *)pb];

	if (x->rank != y->rank)
		return x->rank > y->rank ? 1 : -1;
	if (x->span.work_first != y->span.work_first)
		return x->span.work_first > y->span.work_first ? 1 : -1;
	if (x->span.work_last != y->span.work_last)
		return x->span.work_last > y->span.work_last ? 1 : -1;
	return tm_name_cmp(&a->names.v[x->run], &a->names.v[y->run]);
}

/* Runs with GPU work, by rank and time: *n of them; NULL when out of memory. */
static uint32_t *in_order(const struct tm_apart *a, size_t *n)
{
	uint32_t *v = malloc((a->keys.n + (size_t)1) * sizeof *v);

	*n = 0;
	for (uint32_t i = 0; v && i < a->keys.n; i++)
		if (works(&a->v[i].span))
			v[(*n)++] = i;
	if (v)
		qsort_r(v, *n, sizeof *v, by_time, (void *)(uintptr_t)a);
	return v;
}

/* Two runs of a rank, and why they are apart. */
struct gulf {
	const struct tm_apart_run *one, *other;
	enum { TOGETHER, BY_HOST, BY_BOOT, BY_TIME } why;
	uint64_t ns; /* how far */
};

/* Between the moments at which the clocks of two runs began, beyond what the readings leave open.
 */
static uint64_t boots_apart(const struct tm_realtime *a, const struct tm_realtime *b)
{
	uint64_t x = tm_realtime_middle(a), y = tm_realtime_middle(b), d = x > y ? x - y : y - x,
	         error;

	if (__builtin_add_overflow(tm_realtime_error(a), tm_realtime_error(b), &error))
		return 0;
	return d > error ? d - error : 0;
}

/* The run that ends last of those of n that were given their rank, or NULL. */
static const struct tm_apart_run *last_given(const struct tm_apart *a, const uint32_t *v, size_t n)
{
	const struct tm_apart_run *last = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct tm_apart_run *r = &a->v[v[i]];

		if (r->given && (!last || r->span.work_last > last->span.work_last))
			last = r;
	}
	return last;
}

/* Is a run of another machine or boot than those before it, of which *host and *boot are the first
 * that tell theirs?  Then *g says so. */
static void differ(const struct tm_apart_run *r, const struct tm_apart_run **host,
                   const struct tm_apart_run **boot, struct gulf *g)
{
	if (*host && r->host != TM_NAME_NONE && r->host != (*host)->host)
		*g = (struct gulf) { *host, r, BY_HOST, 0 };
	else if (*boot && r->realtime.readings && r->clock == (*boot)->clock &&
	         boots_apart(&(*boot)->realtime, &r->realtime) > TM_APART_BOOT_NS)
		*g = (struct gulf) { *boot, r, BY_BOOT,
			             boots_apart(&(*boot)->realtime, &r->realtime) };
	if (!*host && r->host != TM_NAME_NONE)
		*host = r;
	if (!*boot && r->realtime.readings)
		*boot = r;
}

/* Of n runs of a rank, by time.  One without work inside -w joins others, but is not apart itself.
 */
static struct gulf find_gulf(const struct tm_apart *a, const uint32_t *v, size_t n)
{
	const struct tm_apart_run *host = NULL, *boot = NULL, *last = &a->v[v[0]];
	const struct tm_apart_run *given = last_given(a, v, n);
	struct gulf g = { .why = TOGETHER }, pause = g;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct tm_apart_run *r = &a->v[v[i]];
		const bool inside = works(&r->inside);

		/* Of time: it counts once there is work on both sides. */
		if (any && pause.why == TOGETHER && r->span.work_first > last->span.work_last)
			pause = (struct gulf) { last, r, BY_TIME,
				                r->span.work_first - last->span.work_last };
		any |= inside;
		if (inside)
			g = pause;
		if (inside && !r->aligned)
			differ(r, &host, &boot, &g);
		if (g.why != TOGETHER)
			return g;
		/* What was given the rank reaches to the last of that. */
		if (r->given)
			r = given;
		if (r->span.work_last > last->span.work_last)
			last = r;
	}
	return g;
}

static const char *text_of(const struct tm_apart *a, uint32_t id)
{
	return id == TM_NAME_NONE ? "" : a->names.v[id].text;
}

static void tell(const struct tm_apart *a, const struct gulf *g, uint64_t more,
                 enum tm_severity severity, const char *then, struct tm_report *rep)
{
	const struct tm_apart_run *x = g->one, *y = g->other;
	struct tm_buf b = { 0 };

	if (g->why == BY_HOST)
		tm_buf_fmt(&b, "is from machine '%.100s', this one from '%.100s'",
		           text_of(a, x->host), text_of(a, y->host));
	else if (g->why == BY_BOOT)
		tm_buf_fmt(&b,
		           "is from another boot: its clock began %" PRIu64
		           " s before or after that of this one",
		           g->ns / 1000000000);
	else {
		tm_buf_str(&b, "ends ");
		tm_buf_ns(&b, g->ns);
		tm_buf_str(&b, " before this one begins");
	}
	if (more)
		tm_buf_fmt(&b, " (also on %" PRIu64 " more rank%s)", more, more == 1 ? "" : "s");
	if (b.failed)
		rep->lost = true;
	else
		tm_report_add(rep, severity, text_of(a, y->path), 0,
		              "another run of rank %" PRIu64
		              ", %.200s, %s: they have no common window; %s",
		              x->rank, text_of(a, x->path), b.p, then);
	tm_buf_fini(&b);
}

bool tm_apart_tell(const struct tm_apart *a, enum tm_severity severity, const char *then,
                   struct tm_report *rep)
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

bool tm_apart_kept(const struct tm_state *kept, enum tm_severity severity, const char *then,
                   struct tm_report *rep)
{
	for (size_t i = 0; i < kept->n; i++) {
		struct tm_state_runs r;
		uint64_t rank = tm_state_runs(kept, i, &r);

		if (!r.apart)
			continue;
		tm_report_add(rep, severity, kept->where, 0,
		              "the runs of rank %" PRIu64 " have no common window; %s", rank, then);
		return true;
	}
	return false;
}

/* The first rank of which so little is work, and what there is to say of it; false if there is
 * none, or when out of memory: *lost. */
static bool find_idle(const struct tm_apart *a, uint64_t *rank, struct tm_state_runs *r, bool *lost)
{
	size_t n;
	uint32_t *v = in_order(a, &n);
	bool found = false;

	*lost |= !v;
	for (size_t i = 0, end; v && i < n && !found; i = end) {
		uint64_t first = UINT64_MAX, last = 0;
		uint32_t path = TM_NAME_NONE;
		tm_u128 gpu = 0;

		for (end = i; end < n && a->v[v[end]].rank == a->v[v[i]].rank; end++) {
			const struct tm_apart_run *run = &a->v[v[end]];

			if (!works(&run->inside))
				continue;
			first = run->inside.work_first < first ? run->inside.work_first : first;
			last = run->inside.work_last > last ? run->inside.work_last : last;
			gpu += run->gpu_ns;
			keep_least(a, &path, run->path);
		}
		found = first < last && last - first >= TM_APART_LONG_NS &&
		        gpu * TM_APART_TIMES < last - first;
		if (found) {
			*rank = a->v[v[i]].rank;
			r->idle = text_of(a, path);
			r->gpu_ns = gpu;
			r->length_ns = last - first;
		}
	}
	free(v);
	return found;
}

bool tm_apart_idle(const struct tm_apart *a, struct tm_state_runs *r)
{
	bool lost = false;
	uint64_t rank;

	find_idle(a, &rank, r, &lost);
	return !lost;
}

static void tell_idle(uint64_t rank, const struct tm_state_runs *r, struct tm_report *rep)
{
	struct tm_buf b = { 0 };

	tm_buf_fmt(&b, "rank %" PRIu64 ": GPU work fills ", rank);
	tm_buf_ns(&b, (uint64_t)r->gpu_ns);
	tm_buf_str(&b, " of the ");
	tm_buf_ns(&b, r->length_ns);
	tm_buf_str(&b, " from first to last; if these are several runs, select one with -w");
	rep->lost |= b.failed;
	if (!b.failed)
		tm_report_add(rep, TM_SEV_NOTE, r->idle, 0, "%s", b.p);
	tm_buf_fini(&b);
}

bool tm_apart_tell_idle(const struct tm_apart *a, const struct tm_state *kept,
                        struct tm_report *rep)
{
	struct tm_state_runs r = { 0 };
	uint64_t rank = 0;
	bool found = find_idle(a, &rank, &r, &rep->lost);

	for (size_t i = 0; kept && i < kept->n; i++) {
		struct tm_state_runs of;
		uint64_t other = tm_state_runs(kept, i, &of);

		if (!of.idle || (found && rank < other))
			continue;
		found = true;
		rank = other;
		r = of;
	}
	if (found)
		tell_idle(rank, &r, rep);
	return found;
}
