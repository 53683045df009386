/* SPDX-License-Identifier: MIT */
#include "work/region_open.h"

#include "base/base.h"

#include <stdlib.h>

static uint32_t below(const struct intervals *s, size_t i)
{
	return (uint32_t)interval_tag(s, i);
}

bool regions_link(struct intervals *s)
{
	if (s->n >= REGION_NONE)
		return false;
	for (size_t i = 0, k; i < s->n; i = k) {
		for (k = i + 1; k < s->n && interval_start(s, k) == interval_start(s, i);)
			k++;
		intervals_reverse(s, i, k - i);
	}
	/* Whatever has ended when a range begins is never on the way to one that is open: each is
	 * left behind once. */
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t open = i ? i - 1 : REGION_NONE;

		while (open != REGION_NONE && interval_end(s, open) <= interval_start(s, i))
			open = below(s, open);
		interval_set_tag(s, i, open);
	}
	return true;
}

uint32_t region_around(const struct intervals *s, uint32_t i, bool *deep)
{
	uint64_t start = interval_start(s, i), end = interval_end(s, i);
	uint32_t k = below(s, i);

	for (unsigned left = REGION_OPEN; k != REGION_NONE; k = below(s, k)) {
		uint64_t to = interval_end(s, k);

		if (to >= end && to > start)
			return k;
		if (!left--) {
			*deep = true;
			return REGION_NONE;
		}
	}
	return REGION_NONE;
}

void regions_at(const struct intervals *s, uint64_t at, struct regions_open *out)
{
	size_t lo = 0, hi = s->n;
	unsigned left = REGION_OPEN;

	out->n = 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (interval_start(s, mid) <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Whatever is open at that time was open, too, when the last one before it began. */
	for (uint32_t i = lo ? (uint32_t)lo - 1 : REGION_NONE; i != REGION_NONE; i = below(s, i)) {
		if (!left--) {
			out->deep = true;
			return;
		}
		if (interval_end(s, i) <= at)
			continue;
		out->start[out->n] = interval_start(s, i);
		out->name[out->n++] = interval_name(s, i);
	}
}

/* ---- of several lists together ---- */

bool region_sweep_init(struct region_sweep *w, const struct intervals *const *list, size_t n,
                       const uint32_t *order)
{
	*w = (struct region_sweep) { .last = REGION_NONE, .unused = REGION_NONE };
	return merged_init(&w->next, list, n, order);
}

static bool begin(struct region_sweep *w, uint64_t start, uint64_t end, uint32_t name)
{
	uint32_t k = w->unused;

	if (k != REGION_NONE) {
		w->unused = w->begun[k].below;
	} else {
		if (!grow_array(&w->begun, &w->cap, w->nbegun + 1, sizeof *w->begun))
			return false;
		k = (uint32_t)w->nbegun++;
	}
	w->begun[k] = (struct region_begun) { start, end, name, w->last };
	w->last = k;
	return true;
}

bool region_sweep_at(struct region_sweep *w, uint64_t at, struct regions_open *out)
{
	const struct merged_list *next;
	uint32_t *link = &w->last;

	out->n = 0;
	for (; (next = merged_at(&w->next)) && interval_start(next->list, next->i) <= at;
	     merged_step(&w->next)) {
		uint64_t start = interval_start(next->list, next->i);
		uint64_t end = interval_end(next->list, next->i);

		if (end > at && !begin(w, start, end, interval_name(next->list, next->i)))
			return false;
	}
	while (*link != REGION_NONE) {
		struct region_begun *one = &w->begun[*link];
		uint32_t k = *link;

		if (one->end <= at) {
			*link = one->below;
			one->below = w->unused;
			w->unused = k;
			continue;
		}
		if (out->n == REGION_OPEN) {
			out->deep = true;
			break;
		}
		out->start[out->n] = one->start;
		out->name[out->n++] = one->name;
		link = &one->below;
	}
	return true;
}

void region_sweep_fini(struct region_sweep *w)
{
	merged_fini(&w->next);
	free(w->begun);
	*w = (struct region_sweep) { 0 };
}
