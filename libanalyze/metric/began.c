/* SPDX-License-Identifier: MIT */
#include "metric/began.h"

#include <stdlib.h>

static bool begin(struct tm_began *m, uint64_t rank, uint64_t at)
{
	bool fresh;
	uint32_t i = tm_groups_item(&m->ranks, &rank, &m->v, &m->cap, sizeof *m->v, &fresh);

	if (i == TM_GROUP_NONE)
		return false;
	if (fresh || at < m->v[i].at)
		m->v[i] = (struct tm_begin) { rank, at };
	return true;
}

bool tm_began_take(struct tm_began *m, uint64_t rank, const struct tm_batch *b)
{
	uint64_t lo = UINT64_MAX;

	if (b->kind != TM_EV_DISPATCH && b->kind != TM_EV_COPY)
		return true;
	for (uint32_t i = 0; i < b->n; i++)
		if (tm_batch_has(b, i, TM_EVC_START) && b->col[TM_EVC_START][i] < lo)
			lo = b->col[TM_EVC_START][i];
	return lo == UINT64_MAX || begin(m, rank, lo);
}

bool tm_began_merge(struct tm_began *m, const struct tm_began *from)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < from->ranks.n; i++)
		ok = begin(m, from->v[i].rank, from->v[i].at);
	return ok;
}

static int by_rank(const void *pa, const void *pb)
{
	const struct tm_begin *a = pa, *b = pb;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

bool tm_began_put(struct tm_began *m, struct tm_table *t)
{
	bool ok = true;

	if (m->ranks.n)
		qsort(m->v, m->ranks.n, sizeof *m->v, by_rank);
	for (uint32_t i = 0; ok && i < m->ranks.n; i++)
		ok = tm_table_origin(t, m->v[i].rank, m->v[i].at);
	return ok;
}

void tm_began_fini(struct tm_began *m)
{
	tm_groups_fini(&m->ranks);
	free(m->v);
	*m = (struct tm_began) { 0 };
}
