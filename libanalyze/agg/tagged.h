/* SPDX-License-Identifier: MIT
 * Which of the intervals of a tag caused something that happened then?  The last that starts not
 * after it, else the first of them all; of those that fit. */
#ifndef TM_AGG_TAGGED_H
#define TM_AGG_TAGGED_H

#include "agg/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many of one tag are looked at for one that fits: a crafted trace takes no longer than others.
 */
enum { TM_TAGGED_WALK = 1024 };

/* How many of a list that tm_intervals_sort_by_tag put in order come before (tag, at): a smaller
 * tag, or the same and a start not after. */
size_t tm_tagged_before(const struct tm_intervals *s, uint64_t tag, uint64_t at);

/* The same, from where the last search ended, `from`, where that tag is near: quick where tags are
 * asked for in about their order. */
size_t tm_tagged_before_from(const struct tm_intervals *s, size_t from, uint64_t tag, uint64_t at);

/* Of those of that tag the one that is meant, `before` from one of these; SIZE_MAX = none fits. */
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
