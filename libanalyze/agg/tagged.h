/* SPDX-License-Identifier: MIT
 * Find the interval of a tag that caused something at a given time: of those that fit, the last
 * that starts no later, or else the first. */
#ifndef TM_AGG_TAGGED_H
#define TM_AGG_TAGGED_H

#include "agg/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most intervals of one tag that are tried in each direction: a crafted trace takes no longer than
 * others. */
enum { TM_TAGGED_WALK = 1024 };

/* How many intervals of a list sorted by tm_intervals_sort_by_tag come before (tag, at): with a
 * smaller tag, or with the same tag and a start not after `at`.  Starting at `from`, the result of
 * the last search, or 0: fast if tags are looked up in about their order. */
size_t tm_tagged_before(const struct tm_intervals *s, size_t from, uint64_t tag, uint64_t at);

/* The interval of that tag as described above; `before` is the result of one of these functions.
 * SIZE_MAX = none fits. */
static inline size_t tm_tagged_choose(const struct tm_intervals *s, size_t before, uint64_t tag,
                                      bool (*fits)(const void *arg, uint32_t name), const void *arg)
{
	for (size_t k = before;
	     k && before - k < TM_TAGGED_WALK && tm_interval_tag(s, k - 1) == tag; k--)
		if (fits(arg, tm_interval_name(s, k - 1)))
			return k - 1;
	for (size_t k = before;
	     k < s->n && k - before < TM_TAGGED_WALK && tm_interval_tag(s, k) == tag; k++)
		if (fits(arg, tm_interval_name(s, k)))
			return k;
	return SIZE_MAX;
}

#endif
