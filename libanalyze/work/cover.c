/* SPDX-License-Identifier: MIT */
#include "work/cover.h"

#include <stdlib.h>

void tm_cover_fini(struct tm_cover *c)
{
	tm_intervals_fini(&c->v);
	free(c->before);
	*c = (struct tm_cover) { 0 };
}

static bool add_up(struct tm_cover *c)
{
	uint64_t sum = 0;

	c->before = malloc((c->v.n / TM_COVER_STRIDE + 1) * sizeof *c->before);
	for (size_t i = 0; c->before && i < c->v.n; i++) {
		if (i % TM_COVER_STRIDE == 0)
			c->before[i / TM_COVER_STRIDE] = sum;
		sum += tm_interval_dur(&c->v, i);
	}
	return c->before != NULL;
}

bool tm_cover_take(struct tm_cover *c, struct tm_intervals *list)
{
	return tm_intervals_move_cover(&c->v, list);
}

bool tm_cover_copy(struct tm_cover *c, const struct tm_cover *from)
{
	return tm_intervals_merge(&c->v, &from->v, NULL);
}

bool tm_cover_finish(struct tm_cover *c)
{
	tm_intervals_sort(&c->v, NULL);
	return tm_intervals_unite(&c->v) && add_up(c);
}

bool tm_cover_make(struct tm_cover *c, struct tm_work *w, uint64_t rank)
{
	struct tm_work_range of;
	bool ok = true;

	if (c->made && c->rank == rank)
		return true;
	of = tm_work_tracks_of(w, rank);
	tm_cover_fini(c);
	for (size_t i = of.from; ok && i < of.to; i++)
		for (int k = 0; ok && k < TM_WORK_KINDS; k++)
			ok = tm_cover_take(c, &w->track[i].op[k]);
	c->rank = rank;
	c->made = true;
	return ok && tm_cover_finish(c);
}

/* How many stretches begin before t. */
static size_t begun(const struct tm_cover *c, uint64_t t)
{
	size_t lo = 0, hi = c->v.n;

	TM_BISECT(lo, hi, mid, tm_interval_start(&c->v, mid) < t);
	return lo;
}

/* The same, where the first `from` do: most that is asked for is short. */
static size_t begun_from(const struct tm_cover *c, size_t from, uint64_t t)
{
	TM_GALLOP(from, c->v.n, mid, tm_interval_start(&c->v, mid) < t);
	return from;
}

/* Time before t, before which `lo` stretches begin, during which something ran. */
static uint64_t until(const struct tm_cover *c, size_t lo, uint64_t t)
{
	uint64_t sum, last;
	size_t from;

	if (!lo--)
		return 0;
	from = lo / TM_COVER_STRIDE;
	sum = c->before[from];
	for (size_t i = from * TM_COVER_STRIDE; i < lo; i++)
		sum += tm_interval_dur(&c->v, i);
	last = t - tm_interval_start(&c->v, lo);
	return sum + (last < tm_interval_dur(&c->v, lo) ? last : tm_interval_dur(&c->v, lo));
}

uint64_t tm_cover_busy(const struct tm_cover *c, uint64_t lo, uint64_t hi)
{
	size_t at = begun(c, lo);

	return until(c, begun_from(c, at, hi), hi) - until(c, at, lo);
}

/* Which of the covers, but for `not`, goes on with the stretch that starts first; n = none before
 * hi. */
static size_t next_of(const struct tm_cover *const *c, size_t n, size_t not, const size_t *at,
                      uint64_t hi)
{
	size_t best = n;

	for (size_t k = 0; k < n; k++) {
		uint64_t start;

		if (k == not || at[k] == c[k]->v.n)
			continue;
		start = tm_interval_start(&c[k]->v, at[k]);
		if (start < hi && (best == n || start < tm_interval_start(&c[best]->v, at[best])))
			best = k;
	}
	return best;
}

uint64_t tm_cover_any(const struct tm_cover *const *c, size_t n, uint64_t lo, uint64_t hi)
{
	size_t at[TM_COVER_ANY], most = 0, k;
	uint64_t sum, edge = lo;

	if (!n)
		return 0;
	for (k = 0; k < n; k++) {
		most = c[k]->v.n > c[most]->v.n ? k : most;
		at[k] = begun(c[k], lo);
		at[k] -= at[k] != 0; /* it may reach in */
	}
	sum = tm_cover_busy(c[most], lo, hi);
	while ((k = next_of(c, n, most, at, hi)) < n) {
		uint64_t from = tm_interval_start(&c[k]->v, at[k]),
		         to = tm_interval_end(&c[k]->v, at[k]++);

		from = from > edge ? from : edge;
		to = to < hi ? to : hi;
		if (from >= to)
			continue;
		sum += to - from - tm_cover_busy(c[most], from, to);
		edge = to;
	}
	return sum;
}
