/* SPDX-License-Identifier: MIT */
#include "metric/summary_whole.h"

#include "metric/homes.h"

#include <stdlib.h>
#include <string.h>

/* Words of items; the text of KEPT_CALL is the name of the call, that of KEPT_HOST the host. */
enum { KEPT_AGENT, KEPT_RANK, KEPT_CALL, KEPT_HOST };
enum {
	WORD_WHAT,
	/* KEPT_AGENT */
	WORD_HAS_AGENT = 1,
	WORD_AGENT,
	WORD_SEVERAL,
	WORD_WINDOW,
	WORD_PART,
	/* KEPT_RANK */
	WORD_SYNC = 1,
	WORD_WAITED,
	WORD_IDLE,
	WORD_LONGEST,
	WORD_AT,
	WORD_OF,
	WORD_OF_HAS,
	WORD_OF_AGENT,
	WORD_OF_SEVERAL,
	/* KEPT_CALL */
	WORD_GAPS = 1,
	WORD_GAPS_IDLE, /* low and high half */
	WORDS = 16
};

_Static_assert(WORD_PART + SUMMARY_PARTS <= WORDS, "room for all parts");

/* ---- adding up ---- */

static bool add_agent(struct summary_whole *a, const struct summary_agent *one)
{
	if (!tm_grow_array(&a->agent, &a->agent_cap, a->n + 1, sizeof *a->agent))
		return false;
	a->agent[a->n++] = *one;
	return true;
}

static bool add_sync(struct summary_whole *a, const struct summary_sync *one)
{
	if (!one->window)
		return true;
	if (!tm_grow_array(&a->sync, &a->sync_cap, a->nsync + 1, sizeof *a->sync))
		return false;
	a->sync[a->nsync++] = *one;
	return true;
}

/* Of equals the one of the lower rank. */
static void add_longest(struct summary_whole *a, uint64_t ns, uint64_t at, uint64_t window,
                        const struct summary_whose *of)
{
	if (ns < a->longest_ns || !ns || (ns == a->longest_ns && of->rank > a->longest_of.rank))
		return;
	a->longest_ns = ns;
	a->longest_at = at;
	a->longest_window = window;
	a->longest_of = *of;
}

/* A call of that name; a->call has one of each name until order_calls. */
static bool add_call(struct summary_whole *a, uint32_t name, uint64_t gaps, tm_u128 idle)
{
	if (!tm_grow_array(&a->call, &a->call_cap, (size_t)name + 1, sizeof *a->call))
		return false;
	for (; a->ncall <= name; a->ncall++)
		a->call[a->ncall] = (struct tm_gaps_call) { .name = (uint32_t)a->ncall };
	a->call[name].gaps += gaps;
	a->call[name].idle += idle;
	return true;
}

/* ---- of events ---- */

static struct summary_whose whose(const struct tm_work *w, const struct tm_work_track *t)
{
	return (struct summary_whose) {
		.rank = t->rank,
		.agent = t->agent,
		.has_agent = t->has_agent,
		.several = (t > w->track && t[-1].rank == t->rank) ||
		           (t + 1 < w->track + w->ntrack && t[1].rank == t->rank),
	};
}

static bool see_agents(struct summary_whole *a, const struct tm_work *w)
{
	for (size_t i = 0, n; i < w->ntrack; i += n) {
		n = tm_work_same(w, i);
		const struct tm_work_use u = tm_work_use_of(&w->track[i], n);
		const struct summary_agent one = {
			.of = whose(w, &w->track[i]),
			.window = u.window,
			.part = { [SUMMARY_BUSY] = u.busy,
			          [SUMMARY_COMPUTE] = u.compute,
			          [SUMMARY_EXPOSED_COMM] = u.exposed_comm,
			          [SUMMARY_EXPOSED_COPY] = u.exposed_copy,
			          [SUMMARY_MOVE] = u.move,
			          [SUMMARY_WAIT] = u.wait,
			          [SUMMARY_IDLE] = u.idle },
		};

		if (!add_agent(a, &one))
			return false;
	}
	return true;
}

static bool see_sync(struct summary_whole *a, const struct tm_work *w)
{
	struct tm_work_rank r;

	/* While one agent is idle another may work: as kstats sync, which refuses that. */
	if (w->o->only && w->o->only->by & TM_ONLY_BIT(TM_ONLY_AGENT))
		return true;
	for (size_t track = 0, thread = 0; tm_work_rank_next(&r, w, &track, &thread);) {
		struct tm_sync_use one;

		if (!tm_sync_of_rank(w, &r, &one) ||
		    !add_sync(a, &(struct summary_sync) { { .rank = r.rank },
		                                          (uint64_t)one.window,
		                                          (uint64_t)one.waited,
		                                          (uint64_t)one.idle }))
			return false;
	}
	return true;
}

/* From the first to the last operation of an agent, on all its tracks. */
static struct tm_extent window_of(const struct tm_work *w, const struct tm_work_track *of)
{
	const size_t at = (size_t)(of - w->track), n = tm_work_same(w, at);
	struct tm_extent window = of->window;

	for (size_t i = at + 1; i < at + n; i++) {
		if (w->track[i].window.lo < window.lo)
			window.lo = w->track[i].window.lo;
		if (w->track[i].window.hi > window.hi)
			window.hi = w->track[i].window.hi;
	}
	return window;
}

/* Where the window of a rank begins: from there kstats gaps --list counts, and so must its longest
 * row here. */
static uint64_t beginning(const struct tm_work *w, uint64_t rank)
{
	uint64_t lo = UINT64_MAX;

	for (size_t i = 0; i < w->ntrack; i++)
		if (w->track[i].rank == rank && w->track[i].window.lo < lo)
			lo = w->track[i].window.lo;
	return lo;
}

static bool see_gaps(struct summary_whole *a, struct tm_work *w)
{
	const struct tm_work_track *of;
	struct tm_gaps_total g = { 0 };
	bool ok = !w->ntrack || tm_gaps_total(w, &g);

	a->elsewhere = tm_gaps_elsewhere(w);
	a->gaps = g.gaps;
	a->ops = g.ops;
	a->matched = g.matched;
	a->lanes = g.lanes;
	a->few = g.few;
	a->told = g.told;
	a->early = g.early;
	a->window = g.window;
	a->idle = g.idle;
	memcpy(a->cause, g.cause, sizeof a->cause);
	of = g.longest_of;
	if (ok && of) {
		const struct summary_whose who = whose(w, of);
		const struct tm_extent window = window_of(w, of);

		add_longest(a, g.longest.hi - g.longest.lo, g.longest.lo - beginning(w, of->rank),
		            window.hi - window.lo, &who);
	}
	for (size_t i = 0; ok && i < g.ncall; i++)
		ok = add_call(a, g.call[i].name, g.call[i].gaps, g.call[i].idle);
	tm_gaps_total_fini(&g);
	return ok;
}

/* ---- what is kept ---- */

static void keep_agents(const struct summary_whole *a, struct tm_state *s)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct summary_agent *one = &a->agent[i];
		struct tm_state_item it = { .text = "", .nv = WORDS, .bytes = "" };

		it.v[WORD_WHAT] = KEPT_AGENT;
		it.v[WORD_HAS_AGENT] = one->of.has_agent;
		it.v[WORD_AGENT] = one->of.agent;
		it.v[WORD_SEVERAL] = one->of.several;
		it.v[WORD_WINDOW] = one->window;
		memcpy(&it.v[WORD_PART], one->part, sizeof one->part);
		tm_state_put(s, &it);
	}
}

/* Of one rank. */
static void keep_rank(const struct summary_whole *a, struct tm_state *s)
{
	struct tm_state_item it = { .text = "", .nv = WORDS, .bytes = "" };

	it.v[WORD_WHAT] = KEPT_RANK;
	if (a->nsync) {
		it.v[WORD_SYNC] = a->sync->window;
		it.v[WORD_WAITED] = a->sync->waited;
		it.v[WORD_IDLE] = a->sync->idle;
	}
	it.v[WORD_LONGEST] = a->longest_ns;
	it.v[WORD_AT] = a->longest_at;
	it.v[WORD_OF] = a->longest_window;
	it.v[WORD_OF_HAS] = a->longest_of.has_agent;
	it.v[WORD_OF_AGENT] = a->longest_of.agent;
	it.v[WORD_OF_SEVERAL] = a->longest_of.several;
	tm_state_put(s, &it);
}

static void keep_calls(const struct summary_whole *a, const struct tm_names *names,
                       struct tm_state *s)
{
	for (size_t i = 0; i < a->ncall; i++) {
		struct tm_state_item it = {
			.text = names->v[i].text, .len = names->v[i].len, .nv = WORDS, .bytes = ""
		};

		if (!a->call[i].gaps)
			continue;
		it.v[WORD_WHAT] = KEPT_CALL;
		it.v[WORD_GAPS] = a->call[i].gaps;
		it.v[WORD_GAPS_IDLE] = (uint64_t)a->call[i].idle;
		it.v[WORD_GAPS_IDLE + 1] = (uint64_t)(a->call[i].idle >> 64);
		tm_state_put(s, &it);
	}
}

static void keep_hosts(const struct tm_names *homes, struct tm_state *s)
{
	for (uint32_t i = 0; i < homes->n; i++) {
		struct tm_state_item it = { .nv = WORDS, .bytes = "" };

		it.text = tm_homes_host(homes, i, &it.len);
		it.v[WORD_WHAT] = KEPT_HOST;
		tm_state_put(s, &it);
	}
}

struct reading {
	struct summary_whole *a;
	struct tm_work *w;
	struct tm_names *homes;
};

static bool take_agent(struct summary_whole *a, uint64_t rank, const uint64_t *v)
{
	struct summary_agent one = { .of = { rank, v[WORD_AGENT], v[WORD_HAS_AGENT],
		                             v[WORD_SEVERAL] },
		                     .window = v[WORD_WINDOW] };

	memcpy(one.part, &v[WORD_PART], sizeof one.part);
	return add_agent(a, &one);
}

static bool take_item(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	const struct reading *g = arg;
	const uint64_t *v = it->v;
	uint32_t name;

	switch (v[WORD_WHAT]) {
	case KEPT_AGENT:
		return take_agent(g->a, rank, v);
	case KEPT_RANK:
		add_longest(g->a, v[WORD_LONGEST], v[WORD_AT], v[WORD_OF],
		            &(struct summary_whose) { rank, v[WORD_OF_AGENT], v[WORD_OF_HAS],
		                                      v[WORD_OF_SEVERAL] });
		return add_sync(g->a, &(struct summary_sync) { { .rank = rank },
		                                               v[WORD_SYNC],
		                                               v[WORD_WAITED],
		                                               v[WORD_IDLE] });
	case KEPT_CALL:
		name = tm_names_add(&g->w->names, it->text, it->len);
		return name != TM_NAME_NONE &&
		       add_call(g->a, name, v[WORD_GAPS],
		                (tm_u128)v[WORD_GAPS_IDLE + 1] << 64 | v[WORD_GAPS_IDLE]);
	case KEPT_HOST:
		return tm_homes_put(g->homes, rank, it->text, it->len);
	default:
		return true;
	}
}

static bool share_state(struct summary_whole *a, struct tm_work *w, struct tm_names *homes,
                        struct tm_state *s)
{
	uint64_t *const numbers[] = { &a->gaps, &a->ops,  &a->matched, &a->lanes,
		                      &a->few,  &a->told, &a->early };
	struct reading g = { a, w, homes };

	if (!s)
		return true;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		tm_state_add(s, numbers[i]);
	a->window = tm_state_sum(s, a->window);
	a->idle = tm_state_sum(s, a->idle);
	for (int c = 0; c < TM_CAUSES; c++)
		a->cause[c] = tm_state_sum(s, a->cause[c]);
	a->elsewhere = tm_state_sum(s, a->elsewhere) != 0;
	if (s->writing) {
		keep_agents(a, s);
		keep_rank(a, s);
		keep_calls(a, &w->names, s);
		keep_hosts(homes, s);
	}
	return tm_state_each(s, WORDS, take_item, &g);
}

/* ---- order ---- */

static int by_agent(const void *pa, const void *pb)
{
	const struct summary_whose *a = &((const struct summary_agent *)pa)->of;
	const struct summary_whose *b = &((const struct summary_agent *)pb)->of;
	int d = tm_u64_cmp(a->rank, b->rank);

	return d ? d : tm_known_cmp(a->has_agent, a->agent, b->has_agent, b->agent);
}

static int by_rank(const void *a, const void *b)
{
	return tm_u64_cmp(((const struct summary_sync *)a)->of.rank,
	                  ((const struct summary_sync *)b)->of.rank);
}

static void order(struct summary_whole *a, struct tm_names *names)
{
	size_t n = 0;

	if (a->n)
		qsort(a->agent, a->n, sizeof *a->agent, by_agent);
	if (a->nsync)
		qsort(a->sync, a->nsync, sizeof *a->sync, by_rank);
	for (size_t i = 0; i < a->ncall; i++)
		if (a->call[i].gaps)
			a->call[n++] = a->call[i];
	a->ncall = n;
	if (n)
		qsort_r(a->call, n, sizeof *a->call, tm_gaps_by_idle, names);
}

bool tm_summary_whole(struct summary_whole *a, struct tm_work *w, struct tm_names *homes,
                      struct tm_state *s)
{
	*a = (struct summary_whole) { 0 };
	if (!see_agents(a, w) || !see_sync(a, w) || !see_gaps(a, w) || !share_state(a, w, homes, s))
		return false;
	order(a, &w->names);
	return true;
}

void tm_summary_whole_fini(struct summary_whole *a)
{
	free(a->agent);
	free(a->sync);
	free(a->call);
	*a = (struct summary_whole) { 0 };
}
