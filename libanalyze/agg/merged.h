/* SPDX-License-Identifier: MIT
 * Iterate once over any number of sorted lists by start, without copying. */
#ifndef TM_AGG_MERGED_H
#define TM_AGG_MERGED_H

#include "agg/intervals.h"

/* A list, and its next interval. */
struct tm_merged_list {
	const struct tm_intervals *list;
	size_t i;
	size_t number; /* which of the lists */
};

struct tm_merged {
	const uint32_t *order;
	struct tm_merged_list *v; /* a heap, the earliest on top */
	size_t n;
};

/* Over n lists, which must outlive it; NULL stands for an empty one.  Intervals that start together
 * come longest first (within a list, only if it is in that order), then by highest order[name]
 * unless `order` is NULL, then by number of the list.  False when out of memory; tm_merged_fini is
 * needed all the same. */
bool tm_merged_init(struct tm_merged *m, const struct tm_intervals *const *list, size_t n,
                    const uint32_t *order);

/* The next interval of them all; NULL after the last.  Valid until tm_merged_step. */
static inline const struct tm_merged_list *tm_merged_at(const struct tm_merged *m)
{
	return m->n ? m->v : NULL;
}

/* Go to the next interval. */
void tm_merged_step(struct tm_merged *m);

/* Free it; {0} again. */
void tm_merged_fini(struct tm_merged *m);

#endif
