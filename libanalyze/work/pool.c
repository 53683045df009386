/* SPDX-License-Identifier: MIT */
#include "work/pool.h"

#include "work/calls.h"

#include <stdlib.h>
#include <string.h>

struct tm_work_shared {
	struct tm_work w;
	struct tm_work *first; /* who joined first, and how many did */
	size_t joined;
};

/* ---- the sink ---- */

static bool init(void *acc, const void *arg)
{
	(void)arg;
	*(struct tm_work_pool *)acc = (struct tm_work_pool) { 0 };
	return true;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	const struct tm_work_pool *pool = acc;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_work_piece(&pool->v[i]->w, p);
	return ok;
}

static bool take(void *acc, const struct tm_batch *b)
{
	const struct tm_work_pool *pool = acc;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_work_take(&pool->v[i]->w, b);
	return ok;
}

/* The same questions join in the same order, however many accumulators there are. */
static bool merge(void *into, void *from)
{
	const struct tm_work_pool *pool = into, *f = from;
	bool ok = true;

	for (size_t i = 0; ok && i < pool->n; i++)
		ok = tm_work_merge(&pool->v[i]->w, &f->v[i]->w);
	return ok;
}

static void free_store(struct tm_work_shared *s)
{
	tm_work_fini(&s->w);
	free(s);
}

static void fini(void *acc)
{
	struct tm_work_pool *pool = acc;

	for (size_t i = 0; i < pool->n; i++)
		free_store(pool->v[i]);
	free(pool->v);
	*pool = (struct tm_work_pool) { 0 };
}

const struct tm_event_sink tm_work_pool_sink = { .size = sizeof(struct tm_work_pool),
	                                         .init = init,
	                                         .piece = piece,
	                                         .take = take,
	                                         .merge = merge,
	                                         .fini = fini,
	                                         .mixed = true };

/* ---- who shares ---- */

/* What tells operations apart, and their tags where they are in order of them. */
static const unsigned apart = TM_WORK_CORR | TM_WORK_PIDS | TM_WORK_QUEUES | TM_WORK_STREAMS |
                              TM_WORK_NODES | TM_WORK_RANKS | TM_WORK_THREADS;

/* What operations of one lane have, and who does without can be lent them without. */
static const unsigned ids = TM_WORK_CORR | TM_WORK_PIDS;

static bool all_or_no_ids(unsigned keep)
{
	return !(keep & ids) || (keep & ids) == ids;
}

/* Are waits among the calls? */
static bool calls_alone(unsigned keep)
{
	return keep & TM_WORK_CALLS && !(keep & TM_WORK_WAITS);
}

/* Without a window one store keeps what each of them wants, and lends it without the rest.  With
 * one, what is outside may be wanted or not: only names and waits are there, or are not looked at.
 */
static bool shares(const struct tm_work *w, const struct tm_work *with)
{
	const unsigned keep = w->keep | with->keep;
	unsigned same = apart;

	if (all_or_no_ids(w->keep) && all_or_no_ids(with->keep))
		same &= ~ids;
	if (calls_alone(w->keep) || calls_alone(with->keep))
		return false;
	if (w->o->windowed || with->o->windowed) {
		same = ~(unsigned)TM_WORK_OP_NAMES;
		if (!w->o->open_from && !w->o->open_to)
			same &= ~(unsigned)TM_WORK_EVERY_AGENT;
		if (!(keep & (TM_WORK_CALLS | TM_WORK_REGIONS)))
			same &= ~(unsigned)TM_WORK_WAITS;
	}
	return (w->keep & same) == (with->keep & same) && w->o->windowed == with->o->windowed &&
	       w->o->level == with->o->level && w->o->by_class == with->o->by_class &&
	       w->o->strict == with->o->strict && w->o->classes == with->o->classes;
}

/* It is loose where all are. */
static unsigned keep_both(unsigned a, unsigned b)
{
	const unsigned loose = TM_WORK_LOOSE;

	return ((a | b) & ~loose) | (a & b & loose);
}

bool tm_work_pool_join(struct tm_work_pool *p, struct tm_work *w)
{
	struct tm_work_shared *s = NULL;

	if (!w)
		return true;
	for (size_t i = 0; i < p->n && !s; i++)
		s = shares(&p->v[i]->w, w) ? p->v[i] : NULL;
	if (!s) {
		if (!tm_grow_array(&p->v, &p->cap, p->n + 1, sizeof(struct tm_work_shared *)))
			return false;
		s = calloc(1, sizeof *s);
		if (!s)
			return false;
		tm_work_init(&s->w, w->o, w->keep);
		s->first = w;
		p->v[p->n++] = s;
	}
	s->joined++;
	s->w.keep = keep_both(s->w.keep, w->keep);
	w->lender = &s->w;
	return true;
}

void tm_work_pool_close(struct tm_work_pool *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct tm_work_shared *s = p->v[i];

		if (s->joined > 1) {
			p->v[n++] = s;
			continue;
		}
		s->first->lender = NULL;
		free_store(s);
	}
	p->n = n;
}

struct tm_work *tm_work_pool_find(const struct tm_work_pool *p, unsigned keep)
{
	for (size_t i = 0; i < p->n; i++)
		if ((p->v[i]->w.keep & keep) == keep && !p->v[i]->w.o->windowed)
			return &p->v[i]->w;
	return NULL;
}

void tm_work_pool_forget(struct tm_work_pool *p)
{
	for (size_t i = 0; i < p->n; i++)
		tm_calls_forget(&p->v[i]->w);
}

struct tm_work *tm_work_itself(void *acc)
{
	return acc;
}

/* ---- lending ---- */

/* What the store of others calls its names, here; NULL = the same. */
static bool rename_all(struct tm_intervals *s, const uint32_t *map)
{
	for (size_t i = 0; map && i < s->n; i++)
		if (!tm_interval_set_name(s, i, map[tm_interval_name(s, i)]))
			return false;
	return true;
}

static bool lend(struct tm_intervals *to, const struct tm_intervals *from, const uint32_t *map)
{
	tm_intervals_lend(to, from);
	return (from->sorted || tm_intervals_own(to)) && rename_all(to, map);
}

/* A list in order without its tags. */
static bool lend_untagged(struct tm_work *w, struct tm_intervals *to,
                          const struct tm_intervals *from, const uint32_t *map)
{
	for (size_t i = 0; i < from->n; i++) {
		const uint32_t name = tm_interval_name(from, i);

		if (!tm_intervals_add(to, tm_interval_start(from, i), tm_interval_end(from, i), 0,
		                      map ? map[name] : name))
			return false;
	}
	tm_intervals_sort(to, w->order);
	return true;
}

/* Would a sorted list be in another order without its tags? */
static bool tags_count(const struct tm_work *of, const struct tm_intervals *s)
{
	/* Where they are apart no two start together. */
	for (size_t i = 1; of->keep & TM_WORK_OP_NAMES && !s->apart && i < s->n; i++)
		if (tm_interval_start(s, i) == tm_interval_start(s, i - 1) &&
		    tm_interval_dur(s, i) == tm_interval_dur(s, i - 1) &&
		    of->order[tm_interval_name(s, i)] < of->order[tm_interval_name(s, i - 1)])
			return true;
	return false;
}

bool tm_work_join_ops(const struct tm_work *of, struct tm_intervals *to,
                      const struct tm_work_track *t, size_t n, int kind)
{
	const bool sized = kind == TM_WORK_COPY && of->keep & TM_WORK_BYTES;
	const struct tm_intervals *one = sized ? &t->sized : &t->op[kind];

	if (n == 1 && (sized || !tags_count(of, one))) {
		tm_intervals_lend(to, one);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		const struct tm_intervals *s = sized ? &t[i].sized : &t[i].op[kind];

		for (size_t k = 0; k < s->n; k++)
			if (!tm_intervals_add(to, tm_interval_start(s, k), tm_interval_end(s, k),
			                      sized ? tm_interval_tag(s, k) : 0,
			                      tm_interval_name(s, k)))
				return false;
	}
	tm_intervals_sort(to, of->order);
	return true;
}

/* Empty results for each of n tracks of a lender; NULL when out of memory. */
static struct tm_work_found *make_found(struct tm_work_track *t, size_t n)
{
	struct tm_work_found *v = calloc(n + 1, sizeof *v);

	for (size_t i = 0; v && i < n; i++)
		t[i].found = &v[i];
	return v;
}

static void make_plain(struct tm_work *of)
{
	bool ok;

	of->plain = calloc(of->ntrack + 1, sizeof *of->plain);
	ok = of->plain != NULL;
	for (size_t i = 0, n; ok && i < of->ntrack; i += n) {
		const struct tm_work_track *t = &of->track[i];
		struct tm_work_track *p = &of->plain[of->nplain++];

		n = tm_work_same(of, i);
		*p = (struct tm_work_track) { .rank = t->rank,
			                      .agent = t->agent,
			                      .lane = t->lane,
			                      .has_agent = t->has_agent,
			                      .has_lane = t->has_lane,
			                      .asked = t->asked,
			                      .window = t->window };
		for (int k = 0; ok && k < TM_WORK_KINDS; k++) {
			for (size_t j = 0; j < n; j++)
				p->started[k] += t[j].started[k];
			ok = tm_work_join_ops(of, &p->op[k], t, n, k);
		}
		if (n == 1)
			p->of = &of->track[i];
		else if (ok)
			tm_work_find_window(of, p);
	}
	if (ok)
		of->plain_found = make_found(of->plain, of->nplain);
}

/* The tracks of a lender without ids: those of the processes of a lane are one. */
static bool plain_tracks(struct tm_work *of)
{
	if (tm_once_begin(&of->plain_once)) {
		make_plain(of);
		tm_once_end(&of->plain_once);
	}
	return of->plain_found != NULL;
}

static bool lend_tracks(struct tm_work *w, const uint32_t *map)
{
	struct tm_work *of = w->lender;
	const bool plain = of->keep & ~w->keep & ids,
	           sized = of->keep & ~w->keep & TM_WORK_BYTES && (plain || !(of->keep & ids));
	struct tm_work_track *v;
	size_t n;
	bool ok = !plain || plain_tracks(of);

	v = plain ? of->plain : of->track;
	n = plain ? of->nplain : of->ntrack;
	w->track = ok ? calloc(n + 1, sizeof *w->track) : NULL;
	for (size_t i = 0; w->track && ok && i < n; i++) {
		struct tm_work_track *t = &w->track[w->ntrack++];

		*t = v[i];
		t->of = &v[i];
		t->found = NULL;
		memset(t->op, 0, sizeof t->op);
		t->sized = (struct tm_intervals) { 0 };
		for (int k = 0; ok && k < TM_WORK_KINDS; k++) {
			const uint32_t *names = w->keep & TM_WORK_OP_NAMES ? map : NULL;

			ok = sized && k == TM_WORK_COPY
			             ? lend_untagged(w, &t->op[k], &v[i].op[k], names)
			             : lend(&t->op[k], &v[i].op[k], names);
		}
	}
	return w->track && ok;
}

/* Threads are those that called something, where calls are asked for, and those with regions. */
static bool is_known(const struct tm_work *w, const struct tm_work_thread *f)
{
	return (w->keep & (TM_WORK_CALLS | TM_WORK_WAITS) &&
	        tm_work_thread_host(f).lo != UINT64_MAX) ||
	       (w->keep & TM_WORK_REGIONS && f->region.n);
}

static bool lend_calls(struct tm_work *w, struct tm_intervals *to, const struct tm_intervals *from,
                       const uint32_t *map)
{
	if (!(w->keep & TM_WORK_CALLS))
		return true;
	tm_intervals_lend(to, from);
	return rename_all(to, w->keep & TM_WORK_CALL_NAMES ? map : NULL);
}

static bool lend_waits(struct tm_work *w, struct tm_intervals *to, const struct tm_intervals *from,
                       const uint32_t *map)
{
	if (!(w->keep & TM_WORK_WAITS))
		return true;
	return w->lender->keep & ~w->keep & TM_WORK_CALLS ? lend_untagged(w, to, from, map)
	                                                  : lend(to, from, map);
}

static bool lend_thread(struct tm_work *w, struct tm_work_thread *f, const uint32_t *map)
{
	struct tm_work_thread *t = &w->thread[w->nthread++];
	bool ok = true;

	*t = *f;
	memset(t->call, 0, sizeof t->call);
	memset(t->wait, 0, sizeof t->wait);
	t->region = (struct tm_intervals) { 0 };
	for (int a = 0; ok && a < TM_WORK_APIS; a++)
		ok = lend_calls(w, &t->call[a], &f->call[a], map) &&
		     lend_waits(w, &t->wait[a], &f->wait[a], map);
	if (!(w->keep & (TM_WORK_CALLS | TM_WORK_WAITS))) {
		for (int k = 0; k < TM_WORK_CALLERS; k++)
			t->called[k] = (struct tm_extent) { UINT64_MAX, 0 };
		memset(t->calls, 0, sizeof t->calls);
		t->api = TM_WORK_HSA;
	}
	return ok && (!(w->keep & TM_WORK_REGIONS) || lend(&t->region, &f->region, map));
}

static bool lend_threads(struct tm_work *w, const uint32_t *map)
{
	const struct tm_work *of = w->lender;
	bool ok = true;

	w->thread = calloc(of->nthread + 1, sizeof *w->thread);
	for (size_t i = 0; w->thread && ok && i < of->nthread; i++)
		ok = !is_known(w, &of->thread[i]) || lend_thread(w, &of->thread[i], map);
	return w->thread && ok;
}

/* Who is lent calls that are in order need not copy them for that. */
static void settle(struct tm_work *of)
{
	if (!tm_work_settle(of))
		return;
	for (size_t i = 0; i < of->nthread; i++)
		for (int a = 0; a < TM_WORK_APIS; a++)
			tm_intervals_sort(&of->thread[i].call[a], of->order);
	of->found = make_found(of->track, of->ntrack);
}

bool tm_work_pool_settle(struct tm_work *of)
{
	if (tm_once_begin(&of->settled_once)) {
		settle(of);
		tm_once_end(&of->settled_once);
	}
	return of->found != NULL;
}

static bool learn_unknown(struct tm_work *w)
{
	uint32_t *map = tm_names_add_all(&w->unknown, &w->lender->unknown);

	free(map);
	return map != NULL;
}

static bool lend_busy(struct tm_work *w)
{
	const struct tm_work *of = w->lender;

	w->busy = calloc(of->nbusy + 1, sizeof *w->busy);
	if (w->busy)
		memcpy(w->busy, of->busy, of->nbusy * sizeof *w->busy);
	w->nbusy = of->nbusy;
	return w->busy != NULL;
}

static bool lend_hosts(struct tm_work *w)
{
	const struct tm_work *of = w->lender;

	if (!(w->keep & TM_WORK_BYTES))
		return true;
	w->host = calloc(of->nhost + 1, sizeof *w->host);
	for (size_t i = 0; w->host && i < of->nhost; i++) {
		w->host[w->nhost++].rank = of->host[i].rank;
		tm_intervals_lend(&w->host[i].copy, &of->host[i].copy);
	}
	return w->host != NULL;
}

bool tm_work_borrow(struct tm_work *w)
{
	struct tm_work *of = w->lender;
	const unsigned threads = TM_WORK_CALLS | TM_WORK_WAITS | TM_WORK_REGIONS;
	uint32_t *map;
	bool ok;

	if (!tm_work_pool_settle(of))
		return false;
	tm_work_drop(w);
	tm_whose_merge(&w->whose, &of->whose);
	w->host_copies = of->host_copies;
	w->uncorrelated = w->keep & TM_WORK_CORR ? of->uncorrelated : 0;
	w->blits = of->blits;
	w->blit_ns = of->blit_ns;
	/* Names that are here already may have other numbers than there. */
	ok = tm_names_adopt(&w->names, &of->names, &map);
	w->same_names = ok && !map;
	ok = ok && learn_unknown(w) && tm_work_order(w) && lend_busy(w) && lend_tracks(w, map) &&
	     lend_hosts(w) && (!(w->keep & threads) || lend_threads(w, map));
	free(map);
	return ok;
}
