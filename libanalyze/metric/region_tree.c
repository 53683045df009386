/* SPDX-License-Identifier: MIT */
#include "metric/region_tree.h"

#include <stdlib.h>

/* Fill in `below` of ranges in order.  Those that ended are dropped when they come to the top, so each
 * is pushed and popped once. */
static bool link_open(struct region_tree *t)
{
	uint32_t *open = malloc((t->n + 1) * sizeof *open);
	size_t n = 0;

	for (uint32_t i = 0; open && i < t->n; i++) {
		while (n && t->v[open[n - 1]].end <= t->v[i].start)
			n--;
		t->v[i].below = n ? open[n - 1] : REGION_NONE;
		open[n++] = i;
	}
	free(open);
	return open != NULL;
}

static void find_depth(struct region_tree *t, struct region *r)
{
	uint32_t i = r->below;

	r->depth = 0;
	for (unsigned left = REGION_OPEN; i != REGION_NONE; i = t->v[i].below) {
		if (t->v[i].end >= r->end && t->v[i].end > r->start) {
			r->depth = t->v[i].depth + 1;
			return;
		}
		if (!left--) {
			t->deep = true;
			return;
		}
	}
}

bool region_tree_init(struct region_tree *t, const struct intervals *s)
{
	*t = (struct region_tree) { 0 };
	if (s->n >= REGION_NONE)
		return false;
	t->v = malloc((s->n + 1) * sizeof *t->v);
	if (!t->v)
		return false;
	/* Backwards through those that begin together: the longest first. */
	for (size_t i = 0, k; i < s->n; i = k) {
		for (k = i + 1; k < s->n && interval_start(s, k) == interval_start(s, i);)
			k++;
		for (size_t j = k; j-- > i;)
			t->v[t->n++] = (struct region) { .start = interval_start(s, j),
				                         .end = interval_end(s, j),
				                         .name = interval_name(s, j) };
	}
	if (!link_open(t))
		return false;
	for (size_t i = 0; i < t->n; i++)
		find_depth(t, &t->v[i]);
	return true;
}

static int by_start(const void *pa, const void *pb)
{
	const struct region *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

bool region_tree_join(struct region_tree *t, const struct region_tree *from, size_t n)
{
	size_t total = 0;

	*t = (struct region_tree) { 0 };
	for (size_t i = 0; i < n; i++)
		total += from[i].n;
	if (total >= REGION_NONE)
		return false;
	t->v = malloc((total + 1) * sizeof *t->v);
	if (!t->v)
		return false;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < from[i].n; k++)
			t->v[t->n++] = from[i].v[k];
	qsort(t->v, t->n, sizeof *t->v, by_start);
	return link_open(t);
}

void region_tree_fini(struct region_tree *t)
{
	free(t->v);
	*t = (struct region_tree) { 0 };
}

struct region_walk region_walk(struct region_tree *t, uint64_t at)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->v[mid].start <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Whatever is open at that time was open, too, when the last one before it began. */
	return (struct region_walk) { .tree = t,
		                      .at = at,
		                      .next = lo ? (uint32_t)lo - 1 : REGION_NONE,
		                      .left = REGION_OPEN };
}

struct region *region_next(struct region_walk *w)
{
	while (w->next != REGION_NONE) {
		struct region *r = &w->tree->v[w->next];

		if (!w->left--) {
			w->tree->deep = true;
			break;
		}
		w->next = r->below;
		if (r->end > w->at)
			return r;
	}
	w->next = REGION_NONE;
	return NULL;
}
