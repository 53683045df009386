/* SPDX-License-Identifier: MIT */
#include "metric/cover.h"

#include <stdlib.h>

void cover_fini(struct cover *c)
{
	free(c->v);
	free(c->before);
	*c = (struct cover) { 0 };
}

static bool add_stretch(struct cover *c, struct extent e)
{
	if (!grow_array(&c->v, &c->cap, c->n + 1, sizeof *c->v) ||
	    !grow_array(&c->before, &c->before_cap, c->n + 1, sizeof *c->before))
		return false;
	c->before[c->n] = c->n ? c->before[c->n - 1] + (c->v[c->n - 1].hi - c->v[c->n - 1].lo) : 0;
	c->v[c->n++] = e;
	return true;
}

bool cover_make(struct cover *c, const struct work *w, uint64_t rank)
{
	struct intervals agents = { 0 };
	struct extent e;
	struct pieces p;
	bool ok = true;

	if (c->made && c->rank == rank)
		return true;
	cover_fini(c);
	for (size_t i = 0; ok && i < w->ntrack; i++) {
		if (w->track[i].rank != rank)
			continue;
		p = work_pieces(&w->track[i], WORK_EVERY);
		while (ok && pieces_next(&p, &e))
			ok = intervals_add(&agents, e.lo, e.hi, 0, 0);
	}
	intervals_sort(&agents, NULL);
	pieces_init(&p, (struct extent) { 0, UINT64_MAX });
	pieces_add(&p, &agents);
	while (ok && pieces_next(&p, &e))
		ok = add_stretch(c, e);
	intervals_fini(&agents);
	c->rank = rank;
	c->made = true;
	return ok;
}

/* Time before t during which something ran. */
static uint64_t until(const struct cover *c, uint64_t t)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->v[mid].lo < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return 0;
	return c->before[lo - 1] + ((t < c->v[lo - 1].hi ? t : c->v[lo - 1].hi) - c->v[lo - 1].lo);
}

uint64_t cover_busy(const struct cover *c, uint64_t lo, uint64_t hi)
{
	return until(c, hi) - until(c, lo);
}
