/* SPDX-License-Identifier: MIT
 * Do several processes share a GPU?  kstats gaps --shared.
 *
 * Producers number the agents of each process, and CSV names no device, so two processes on one GPU
 * look like two GPUs.  What shows is that agents of the same number never work at the same time,
 * while launched work of one waits as long as another works.  That is no proof: numbers of agents
 * are those of a host, or of a process that sees only some of them; of hosts that are known to be
 * others they are others. */
#include "metric/homes.h"
#include "metric/idle/gaps_parts.h"

#include <stdlib.h>

enum {
	SHARED_OTHERS = COL_OWN,
	SHARED_IDLE,
	SHARED_WAITED,
	SHARED_WAITED_PCT,
	SHARED_ALONE,
	SHARED_ALONE_PCT,
	SHARED_N,
};

const struct tm_column tm_gaps_shared_columns[] = {
	WHOSE,
	[SHARED_OTHERS] = { .name = "others",
	                    .title = "OTHERS",
	                    .unit = TM_UNIT_COUNT,
	                    .about = "ranks with an agent of that number that never works at the "
	                             "same time" },
	[SHARED_IDLE] = { .name = "idle_ns",
	                  .title = "IDLE",
	                  .unit = TM_UNIT_NS,
	                  .about = "idle time of this rank's agent, as in the default table" },
	[SHARED_WAITED] = { .name = "waited_ns",
	                    .title = "WAITED",
	                    .unit = TM_UNIT_NS,
	                    .about = "part of it in which launched work waited while one of those "
	                             "worked" },
	[SHARED_WAITED_PCT] = { .name = "waited_pct",
	                        .title = "WAITED%",
	                        .unit = TM_UNIT_PCT,
	                        .bar = true,
	                        .about = "waited_ns / window" },
	[SHARED_ALONE] = { .name = "alone_ns",
	                   .title = "ALL IDLE",
	                   .unit = TM_UNIT_NS,
	                   .about = "part of the idle time in which none of those worked" },
	[SHARED_ALONE_PCT] = { .name = "alone_pct",
	                       .title = "ALL IDLE%",
	                       .unit = TM_UNIT_PCT,
	                       .about = "alone_ns / window" },
	[SHARED_N] = { 0 },
};

/* So many processes at most share one GPU; never at the same time is less than one part in so many
 * of what either works; what waits less, in percent of the window, may do so by chance. */
enum { MOST = 32, RARELY = 100, LEAST_PCT = 5 };

/* The work of other lanes, asked for stretches that ascend. */
struct beside {
	struct tm_pieces p[MOST];
	struct tm_extent now[MOST];
	unsigned n;
};

/* What a row says. */
struct shared {
	struct gaps_lane lane;
	unsigned others;
	uint64_t window, idle, waited, alone;
};

static void walk_in(struct tm_pieces *p, const struct gaps_lane *l, struct tm_extent window)
{
	tm_pieces_init(p, window);
	for (size_t i = 0; i < l->n; i++)
		for (int kind = 0; kind < TM_WORK_KINDS; kind++)
			tm_pieces_add(p, &l->t[i].op[kind]);
}

/* How long both work in a window, and the one that works less but for that. */
static uint64_t at_once(const struct gaps_lane *a, const struct gaps_lane *b,
                        struct tm_extent window, uint64_t *less)
{
	struct tm_pieces p[2];
	uint64_t by[4];

	walk_in(&p[0], a, window);
	walk_in(&p[1], b, window);
	tm_pieces_by_mask(p, 2, by);
	*less = by[1] < by[2] ? by[1] : by[2];
	return by[3];
}

/* Do both work, in the time in which both are there, and never at once?  The first part of that
 * time tells those apart that work at once all the time, as most do. */
static bool in_turns(const struct gaps_lane *a, const struct gaps_lane *b)
{
	enum { PARTS = 32 };
	const struct tm_extent x = tm_gaps_walk(a).p.window, y = tm_gaps_walk(b).p.window;
	struct tm_extent both = { x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi },
	                 first = both;
	uint64_t less, twice;

	if (both.lo >= both.hi)
		return false;
	first.hi = first.lo + (first.hi - first.lo) / PARTS;
	if (at_once(a, b, first, &less) > less)
		return false;
	twice = at_once(a, b, both, &less);
	return less && twice < less / RARELY;
}

/* The next piece of one of them into its place; after the last what no time comes before. */
static void go_on(struct beside *b, unsigned i)
{
	if (!tm_pieces_next(&b->p[i], &b->now[i]))
		b->now[i] = (struct tm_extent) { UINT64_MAX, UINT64_MAX };
}

/* Where the first of them that ends after `at` begins, and ends. */
static struct tm_extent next_busy(struct beside *b, uint64_t at)
{
	struct tm_extent e = { UINT64_MAX, UINT64_MAX };

	for (unsigned i = 0; i < b->n; i++) {
		while (b->now[i].hi <= at)
			go_on(b, i);
		if (b->now[i].lo < e.lo)
			e = b->now[i];
	}
	return e;
}

/* How long any of them worked in a gap; and in the last `late` ns of it. */
static uint64_t worked(struct beside *b, struct tm_extent gap, uint64_t late, uint64_t *waited)
{
	const uint64_t from = gap.hi - late;
	uint64_t at = gap.lo, ns = 0;

	while (at < gap.hi) {
		const struct tm_extent e = next_busy(b, at);
		const uint64_t lo = e.lo > at ? e.lo : at, hi = e.hi < gap.hi ? e.hi : gap.hi;

		if (lo >= gap.hi)
			break;
		ns += hi - lo;
		*waited += hi > from ? hi - (lo > from ? lo : from) : 0;
		at = hi;
	}
	return ns;
}

/* The lanes of v[0 .. n), all of that number, that this one shares an agent with, as far as that
 * shows. */
static void find_beside(const struct gaps_fill *f, struct shared *const *v, size_t n,
                        const struct shared *s, struct beside *b)
{
	const uint64_t rank = s->lane.t->rank;

	b->n = 0;
	for (size_t i = 0; n <= MOST && i < n; i++) {
		if (v[i]->lane.t->rank == rank ||
		    tm_homes_apart(f->homes, rank, v[i]->lane.t->rank) ||
		    !in_turns(&s->lane, &v[i]->lane))
			continue;
		b->p[b->n] = tm_gaps_walk(&v[i]->lane).p;
		go_on(b, b->n++);
	}
}

/* False when out of memory. */
static bool find_out(struct gaps_fill *f, struct shared *s, struct beside *b)
{
	struct gaps_walk w = tm_gaps_walk(&s->lane);
	uint64_t part[TM_CAUSES];
	struct gap g;
	size_t thread;

	if (!tm_gaps_rank_ready(f, s->lane.t->rank))
		return false;
	s->others = b->n;
	s->window = w.p.window.hi - w.p.window.lo;
	while (tm_gaps_next(&w, &g)) {
		if (!tm_gaps_split(f, &s->lane, &g, part, &thread))
			return false;
		s->idle += gaps_length(&g);
		s->alone += gaps_length(&g) - worked(b, g.at, part[TM_CAUSE_DEVICE], &s->waited);
	}
	return true;
}

static bool put_row(struct gaps_fill *f, const struct shared *s)
{
	struct tm_cell *c = tm_gaps_row(f, &s->lane);

	if (!c)
		return false;
	c[f->place[SHARED_OTHERS]] = tm_cell_u64(s->others);
	c[f->place[SHARED_IDLE]] = tm_cell_u64(s->idle);
	c[f->place[SHARED_WAITED]] = tm_cell_u64(s->waited);
	c[f->place[SHARED_WAITED_PCT]] = tm_work_pct(s->waited, s->window);
	c[f->place[SHARED_ALONE]] = tm_cell_u64(s->alone);
	c[f->place[SHARED_ALONE_PCT]] = tm_work_pct(s->alone, s->window);
	return true;
}

/* By number; of no number last. */
static int by_agent(const void *pa, const void *pb)
{
	const struct tm_work_track *a = (*(struct shared *const *)pa)->lane.t,
	                           *b = (*(struct shared *const *)pb)->lane.t;

	if (a->has_agent != b->has_agent)
		return a->has_agent ? -1 : 1;
	return (a->agent > b->agent) - (a->agent < b->agent);
}

/* Of those that share an agent with another.  False when out of memory. */
static bool find_all(struct gaps_fill *f, struct shared **v, size_t n, struct beside *b, bool *any)
{
	bool ok = true;

	if (n)
		qsort(v, n, sizeof *v, by_agent);
	for (size_t i = 0, to; ok && i < n && v[i]->lane.t->has_agent; i = to) {
		for (to = i; to < n && !by_agent(&v[i], &v[to]);)
			to++;
		for (size_t k = i; ok && k < to; k++) {
			find_beside(f, v + i, to - i, v[k], b);
			ok = !b->n || find_out(f, v[k], b);
			*any |= (tm_u128)v[k]->waited * 100 > (tm_u128)v[k]->window * LEAST_PCT;
		}
	}
	return ok;
}

bool tm_gaps_fill_shared(struct gaps_fill *f)
{
	struct shared *v = calloc(f->w->ntrack + 1, sizeof *v);
	struct shared **order = calloc(f->w->ntrack + 1, sizeof(struct shared *));
	struct beside *b = malloc(sizeof *b);
	bool ok = v && order && b, any = false;
	size_t n = 0;

	for (size_t i = 0; ok && i < f->w->ntrack; i += tm_work_same(f->w, i)) {
		v[n].lane = gaps_lane(f->w, i);
		order[n] = &v[n];
		n++;
	}
	ok = ok && find_all(f, order, n, b, &any);
	for (size_t i = 0; ok && any && i < n; i++) {
		b->n = 0;
		ok = (v[i].others || find_out(f, &v[i], b)) && put_row(f, &v[i]);
	}
	free(v);
	free(order);
	free(b);
	return ok;
}
