/* SPDX-License-Identifier: MIT
 * Any number of sorted lists, gone through once in the order of the starts without copying. */
#ifndef TM_AGG_MERGED_H
#define TM_AGG_MERGED_H

#include "agg/intervals.h"

/* A list, and its next interval. */
struct merged_list {
	const struct intervals *list;
	size_t i;
	size_t number; /* which of the lists */
};

struct merged {
	const uint32_t *order;
	struct merged_list *v; /* a heap, the earliest on top */
	size_t n;
};

/* Of n lists, which must outlive it and begin with the longest of those that start together, if
 * that matters; NULL stands for an empty one.  What starts together comes the longest first, then
 * the highest order[name] where there is an `order`, then by number of the list.  False when out of
 * memory; merged_fini is needed all the same. */
bool merged_init(struct merged *m, const struct intervals *const *list, size_t n,
                 const uint32_t *order);

/* The next interval of them all; NULL behind the last.  Valid until merged_step. */
static inline const struct merged_list *merged_at(const struct merged *m)
{
	return m->n ? m->v : NULL;
}

/* Go on to the one behind it. */
void merged_step(struct merged *m);

/* Free it; {0} again. */
void merged_fini(struct merged *m);

#endif
