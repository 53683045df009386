/* SPDX-License-Identifier: MIT */
#include "agg/stretches.h"

#include "base/base.h"

#include <stdlib.h>

bool tm_stretches_add(struct tm_stretches *s, struct tm_extent e)
{
	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v) ||
	    !tm_grow_array(&s->before, &s->cap_before, s->n + 1, sizeof *s->before))
		return false;
	s->before[s->n] = tm_stretches_sum(s);
	s->v[s->n++] = e;
	return true;
}

size_t tm_stretches_behind(const struct tm_stretches *s, size_t from, uint64_t t)
{
	size_t lo = from, hi = s->n, step = 1;

	/* Mostly it is one of the next. */
	while (lo + step < hi && s->v[lo + step - 1].hi <= t)
		step *= 2;
	if (lo + step < hi)
		hi = lo + step;
	TM_BISECT(lo, hi, mid, s->v[mid].hi <= t);
	return lo;
}

uint64_t tm_stretches_before(const struct tm_stretches *s, size_t i, uint64_t t)
{
	if (i == s->n)
		return tm_stretches_sum(s);
	return s->before[i] + (s->v[i].lo < t ? t - s->v[i].lo : 0);
}

uint64_t tm_stretches_inside(const struct tm_stretches *s, uint64_t lo, uint64_t hi)
{
	size_t i = tm_stretches_behind(s, 0, lo);

	return tm_stretches_before(s, tm_stretches_behind(s, i, hi), hi) -
	       tm_stretches_before(s, i, lo);
}

uint64_t tm_stretches_sum(const struct tm_stretches *s)
{
	return s->n ? s->before[s->n - 1] + (s->v[s->n - 1].hi - s->v[s->n - 1].lo) : 0;
}

void tm_stretches_clear(struct tm_stretches *s)
{
	s->n = 0;
}

void tm_stretches_fini(struct tm_stretches *s)
{
	free(s->v);
	free(s->before);
	*s = (struct tm_stretches) { 0 };
}
