/* SPDX-License-Identifier: MIT */
#include "work/region_open.h"

#include "base/base.h"

#include <stdlib.h>

static uint32_t below(const struct tm_intervals *s, size_t i)
{
	return (uint32_t)tm_interval_tag(s, i);
}

bool tm_regions_link(struct tm_intervals *s)
{
	if (s->n >= TM_REGION_NONE)
		return false;
	for (size_t i = 0, k; i < s->n; i = k) {
		for (k = i + 1; k < s->n && tm_interval_start(s, k) == tm_interval_start(s, i);)
			k++;
		tm_intervals_reverse(s, i, k - i);
	}
	/* Whatever has ended when a range begins is never on the way to one that is open: each is
	 * left behind once. */
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t open = i ? i - 1 : TM_REGION_NONE;

		while (open != TM_REGION_NONE &&
		       tm_interval_end(s, open) <= tm_interval_start(s, i))
			open = below(s, open);
		tm_interval_set_tag(s, i, open);
	}
	return true;
}

uint32_t tm_region_around(const struct tm_intervals *s, uint32_t i, bool *deep)
{
	uint64_t start = tm_interval_start(s, i), end = tm_interval_end(s, i);
	uint32_t k = below(s, i);

	for (unsigned left = TM_REGION_OPEN; k != TM_REGION_NONE; k = below(s, k)) {
		uint64_t to = tm_interval_end(s, k);

		if (to >= end && to > start)
			return k;
		if (!left--) {
			*deep = true;
			return TM_REGION_NONE;
		}
	}
	return TM_REGION_NONE;
}

void tm_regions_at(const struct tm_intervals *s, uint64_t at, struct tm_regions_open *out)
{
	size_t lo = 0, hi = s->n;
	unsigned left = TM_REGION_OPEN;

	out->n = 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tm_interval_start(s, mid) <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Whatever is open at that time was open, too, when the last one before it began. */
	for (uint32_t i = lo ? (uint32_t)lo - 1 : TM_REGION_NONE; i != TM_REGION_NONE;
	     i = below(s, i)) {
		if (!left--) {
			out->deep = true;
			return;
		}
		if (tm_interval_end(s, i) <= at)
			continue;
		out->start[out->n] = tm_interval_start(s, i);
		out->name[out->n++] = tm_interval_name(s, i);
	}
}

/* ---- of several lists together ---- */

bool tm_region_sweep_init(struct tm_region_sweep *w, const struct tm_intervals *const *list,
                          size_t n, const uint32_t *order)
{
	*w = (struct tm_region_sweep) { .last = TM_REGION_NONE, .unused = TM_REGION_NONE };
	return tm_merged_init(&w->next, list, n, order);
}

static bool begin(struct tm_region_sweep *w, uint64_t start, uint64_t end, uint32_t name)
{
	uint32_t k = w->unused;

	if (k != TM_REGION_NONE) {
		w->unused = w->begun[k].below;
	} else {
		if (!tm_grow_array(&w->begun, &w->cap, w->nbegun + 1, sizeof *w->begun))
			return false;
		k = (uint32_t)w->nbegun++;
	}
	w->begun[k] = (struct tm_region_begun) { start, end, name, w->last };
	w->last = k;
	return true;
}

bool tm_region_sweep_at(struct tm_region_sweep *w, uint64_t at, struct tm_regions_open *out)
{
	const struct tm_merged_list *next;
	uint32_t *link = &w->last;

	out->n = 0;
	for (; (next = tm_merged_at(&w->next)) && tm_interval_start(next->list, next->i) <= at;
	     tm_merged_step(&w->next)) {
		uint64_t start = tm_interval_start(next->list, next->i);
		uint64_t end = tm_interval_end(next->list, next->i);

		if (end > at && !begin(w, start, end, tm_interval_name(next->list, next->i)))
			return false;
	}
	while (*link != TM_REGION_NONE) {
		struct tm_region_begun *one = &w->begun[*link];
		uint32_t k = *link;

		if (one->end <= at) {
			*link = one->below;
			one->below = w->unused;
			w->unused = k;
			continue;
		}
		if (out->n == TM_REGION_OPEN) {
			out->deep = true;
			break;
		}
		out->start[out->n] = one->start;
		out->name[out->n++] = one->name;
		link = &one->below;
	}
	return true;
}

void tm_region_sweep_fini(struct tm_region_sweep *w)
{
	tm_merged_fini(&w->next);
	free(w->begun);
	*w = (struct tm_region_sweep) { 0 };
}
