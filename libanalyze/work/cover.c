/* SPDX-License-Identifier: MIT */
#include "work/cover.h"

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

bool cover_take(struct cover *c, struct intervals *list)
{
	return intervals_move(&c->v, list, NULL);
}

bool cover_copy(struct cover *c, const struct cover *from)
{
	return intervals_merge(&c->v, &from->v, NULL);
}

bool cover_finish(struct cover *c)
{
	intervals_sort(&c->v, NULL);
	return intervals_unite(&c->v) && add_up(c);
}

bool cover_make(struct cover *c, struct work *w, uint64_t rank)
{
	const struct work_range of = work_tracks_of(w, rank);
	bool ok = true;

	if (c->made && c->rank == rank)
		return true;
	cover_fini(c);
	for (size_t i = of.from; ok && i < of.to; i++)
		for (int k = 0; ok && k < WORK_KINDS; k++)
			ok = cover_take(c, &w->track[i].op[k]);
	c->rank = rank;
	c->made = true;
	return ok && cover_finish(c);
}

/* How many stretches begin before t. */
static size_t begun(const struct cover *c, uint64_t t)
{
	size_t lo = 0, hi = c->v.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(&c->v, mid) < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Time before t during which something ran. */
static uint64_t until(const struct cover *c, uint64_t t)
{
	size_t lo = begun(c, t), from;
	uint64_t sum, last;

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

/* Which of the covers, but for `not`, goes on with the stretch that starts first; n = none before
 * hi. */
static size_t next_of(const struct cover *const *c, size_t n, size_t not, const size_t *at,
                      uint64_t hi)
{
	size_t best = n;

	for (size_t k = 0; k < n; k++) {
		uint64_t start;

		if (k == not || at[k] == c[k]->v.n)
			continue;
		start = interval_start(&c[k]->v, at[k]);
		if (start < hi && (best == n || start < interval_start(&c[best]->v, at[best])))
			best = k;
	}
	return best;
}

uint64_t cover_any(const struct cover *const *c, size_t n, uint64_t lo, uint64_t hi)
{
	size_t at[COVER_ANY], most = 0, k;
	uint64_t sum, edge = lo;

	if (!n)
		return 0;
	for (k = 0; k < n; k++) {
		most = c[k]->v.n > c[most]->v.n ? k : most;
		at[k] = begun(c[k], lo);
		at[k] -= at[k] != 0; /* it may reach in */
	}
	sum = cover_busy(c[most], lo, hi);
	while ((k = next_of(c, n, most, at, hi)) < n) {
		uint64_t from = interval_start(&c[k]->v, at[k]),
		         to = interval_end(&c[k]->v, at[k]++);

		from = from > edge ? from : edge;
		to = to < hi ? to : hi;
		if (from >= to)
			continue;
		sum += to - from - cover_busy(c[most], from, to);
		edge = to;
	}
	return sum;
}
