/* SPDX-License-Identifier: MIT
 * Stretches of time: how much of [0, t) they cover, without a walk over those before t. */
#ifndef TM_AGG_STRETCHES_H
#define TM_AGG_STRETCHES_H

#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Disjoint, ascending; they may touch.  {0} is none. */
struct tm_stretches {
	struct tm_extent *v; /* n of them */
	uint64_t *before;    /* what those before each add up to, ns */
	size_t n, cap, cap_before;
};

/* Append a stretch; e.lo must be at or after the end of the last.  False when out of memory. */
bool tm_stretches_add(struct tm_stretches *s, struct tm_extent e);

/* The first stretch from `from` on that ends after t; n = none does.  Fast if it is one of the
 * next. */
size_t tm_stretches_behind(const struct tm_stretches *s, size_t from, uint64_t t);

/* Covered ns before t; i is the first stretch that ends after t. */
uint64_t tm_stretches_before(const struct tm_stretches *s, size_t i, uint64_t t);

/* Covered ns of [lo, hi); lo <= hi. */
uint64_t tm_stretches_inside(const struct tm_stretches *s, uint64_t lo, uint64_t hi);

/* ns of all. */
uint64_t tm_stretches_sum(const struct tm_stretches *s);

/* Forget all of them, and keep the memory. */
void tm_stretches_clear(struct tm_stretches *s);

/* Free them; {0} again. */
void tm_stretches_fini(struct tm_stretches *s);

#endif
