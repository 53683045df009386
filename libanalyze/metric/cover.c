/* SPDX-License-Identifier: MIT */
#include "metric/cover.h"

#include <stdlib.h>

void cover_fini(struct cover *c)
{
	intervals_fini(&c->v);
	free(c->before);
	*c = (struct cover) { 0 };
}

static bool add_up(struct cover *c)
{
	uint64_t sum = 0;

	c->before = malloc((c->v.n / COVER_STRIDE + 1) * sizeof *c->before);
	for (size_t i = 0; c->before && i < c->v.n; i++) {
		if (i % COVER_STRIDE == 0)
			c->before[i / COVER_STRIDE] = sum;
		sum += interval_dur(&c->v, i);
	}
	return c->before != NULL;
}

bool cover_make(struct cover *c, struct work *w, uint64_t rank)
{
	bool ok = true;

	if (c->made && c->rank == rank)
		return true;
	cover_fini(c);
	for (size_t i = 0; ok && i < w->ntrack; i++)
		for (int k = 0; ok && k < WORK_KINDS && w->track[i].rank == rank; k++)
			ok = intervals_move(&c->v, &w->track[i].op[k], NULL);
	intervals_sort(&c->v, NULL);
	c->rank = rank;
	c->made = true;
	return ok && intervals_unite(&c->v) && add_up(c);
}

/* Time before t during which something ran. */
static uint64_t until(const struct cover *c, uint64_t t)
{
	size_t lo = 0, hi = c->v.n, from;
	uint64_t sum, last;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(&c->v, mid) < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo--)
		return 0;
	from = lo / COVER_STRIDE;
	sum = c->before[from];
	for (size_t i = from * COVER_STRIDE; i < lo; i++)
		sum += interval_dur(&c->v, i);
	last = t - interval_start(&c->v, lo);
	return sum + (last < interval_dur(&c->v, lo) ? last : interval_dur(&c->v, lo));
}

uint64_t cover_busy(const struct cover *c, uint64_t lo, uint64_t hi)
{
	return until(c, hi) - until(c, lo);
}
