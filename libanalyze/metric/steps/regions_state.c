/* SPDX-License-Identifier: MIT
 * What files of totals keep of the regions of a rank: its rows, and what is in no region. */
#include "metric/steps/regions.h"

#include <stdlib.h>

/* Words of an item. */
enum {
	KEPT_WHAT, /* KEPT_WORKED: the rank has GPU work; KEPT_LOST: */
	KEPT_HOW,
	KEPT_OPS,
	KEPT_KERNELS,
	KEPT_FIRST,
	KEPT_LAST,
	KEPT_BUSY,
	KEPT_TOTAL, /* low and high half, as the next one */
	KEPT_SELF = KEPT_TOTAL + 2,
	KEPT_N = KEPT_SELF + 2
};

enum { KEPT_WORKED, KEPT_LOST };

static void put_sum(uint64_t *v, tm_u128 sum)
{
	v[0] = (uint64_t)sum;
	v[1] = (uint64_t)(sum >> 64);
}

static tm_u128 sum_at(const uint64_t *v)
{
	return (tm_u128)v[1] << 64 | v[0];
}

/* Of one rank. */
static void keep(const struct regions *g, struct tm_state *s)
{
	struct tm_state_item worked = { .text = "", .nv = KEPT_N, .bytes = "" };

	if (g->ranks)
		tm_state_put(s, &worked);
	for (size_t i = 0; i < g->nlost; i++) {
		const struct region *r = &g->lost[i].r;
		struct tm_state_item it = { .text = "", .nv = KEPT_N, .bytes = "" };

		it.v[KEPT_WHAT] = KEPT_LOST;
		it.v[KEPT_HOW] = g->lost[i].how;
		it.v[KEPT_OPS] = r->ops;
		it.v[KEPT_KERNELS] = r->kernels;
		it.v[KEPT_FIRST] = r->first;
		it.v[KEPT_LAST] = r->last;
		it.v[KEPT_BUSY] = r->busy;
		put_sum(&it.v[KEPT_TOTAL], r->total);
		put_sum(&it.v[KEPT_SELF], r->self);
		tm_state_put(s, &it);
	}
}

static bool take(void *arg, uint64_t rank, const struct tm_state_item *it)
{
	struct regions *g = arg;
	const uint64_t *v = it->v;

	if (v[KEPT_WHAT] == KEPT_WORKED) {
		g->rank = rank;
		return true;
	}
	if (v[KEPT_HOW] >= TM_STACK_HOWS) {
		tm_state_bad(g->o->state);
		return true;
	}
	if (!tm_grow_array(&g->lost, &g->lost_cap, g->nlost + 1, sizeof *g->lost))
		return false;
	g->lost[g->nlost++] = (struct region_lost) {
		.rank = rank,
		.how = (enum tm_stack_how)v[KEPT_HOW],
		.r = { .ops = v[KEPT_OPS],
		       .kernels = v[KEPT_KERNELS],
		       .first = v[KEPT_FIRST],
		       .last = v[KEPT_LAST],
		       .busy = v[KEPT_BUSY],
		       .total = sum_at(&v[KEPT_TOTAL]),
		       .self = sum_at(&v[KEPT_SELF]) },
	};
	return true;
}

static int by_rank(const void *pa, const void *pb)
{
	const struct region_lost *a = pa, *b = pb;
	int d = tm_u64_cmp(a->rank, b->rank);

	return d ? d : (a->how > b->how) - (a->how < b->how);
}

static bool flag(struct tm_state *s, bool own)
{
	return tm_state_sum(s, own) != 0;
}

bool tm_regions_state(struct regions *g)
{
	uint64_t *const sums[] = { &g->ops,   &g->by_time,    &g->no_work,
		                   &g->ranks, &g->s->untimed, &g->s->stats };
	struct tm_state *s = g->o->state;

	if (!s)
		return true;
	if (s->writing)
		keep(g, s);
	if (!tm_state_rows(s, g->t))
		return false;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		tm_state_add(s, sums[i]);
	g->all = tm_state_sum(s, g->all);
	g->lost_ns = tm_state_sum(s, g->lost_ns);
	g->loose = flag(s, g->loose);
	g->deep = flag(s, g->deep);
	g->calls = flag(s, g->calls);
	g->some = flag(s, g->some);
	if (!tm_state_each(s, KEPT_N, take, g))
		return false;
	if (g->nlost)
		qsort(g->lost, g->nlost, sizeof *g->lost, by_rank);
	return true;
}
