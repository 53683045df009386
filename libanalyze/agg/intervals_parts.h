/* SPDX-License-Identifier: MIT
 * Shared by the files that implement intervals.h. */
#ifndef AGG_INTERVALS_PARTS_H
#define AGG_INTERVALS_PARTS_H

#include "agg/intervals.h"

static inline struct tm_interval *tm_interval_entry(struct tm_intervals *s, size_t i)
{
	return &s->block[i >> TM_INTERVAL_SHIFT][i & (TM_INTERVAL_BLOCK - 1)];
}

static inline void tm_interval_swap(struct tm_intervals *s, size_t a, size_t b)
{
	struct tm_interval *x = tm_interval_entry(s, a), *y = tm_interval_entry(s, b), v = *x;

	*x = *y;
	*y = v;
}

#endif
