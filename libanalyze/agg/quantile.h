/* SPDX-License-Identifier: MIT
 * Quantiles of durations in bounded memory, mergeable: the same multiset of values gives the same
 * answer, in whatever order or pieces it came.
 *
 * Up to TM_QUANTILE_EXACT values (or fewer: `most`) are all kept, and a quantile is exact: nearest
 * rank, the ceil(q n)-th smallest value.  More are counted in logarithmic buckets of 64 steps a
 * power of two (below 128 ns every value has its own): the answer is the middle of the bucket that
 * holds the nearest rank, kept within the true minimum and maximum, at most 1/128 = 0.8 % off. */
#ifndef TM_AGG_QUANTILE_H
#define TM_AGG_QUANTILE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TM_QUANTILE_EXACT = 1024,
	TM_QUANTILE_STEPS = 64, /* buckets a power of two */
	TM_QUANTILE_BUCKETS = 2 * TM_QUANTILE_STEPS + 57 * TM_QUANTILE_STEPS,
};

/* {0} is the empty set. */
struct tm_quantile {
	uint64_t n;
	uint32_t most;   /* that are all kept; 0 = TM_QUANTILE_EXACT; of all that merge the same */
	uint64_t *value; /* n of them while n is no more than that, else NULL */
	bool sorted;     /* they are; false = unknown */
	size_t cap;
	uint64_t *count; /* count[b - first] values in bucket b, once there are more */
	uint32_t first, nbuckets;
};

/* The bucket of a value: 0 .. TM_QUANTILE_BUCKETS - 1, never smaller for a larger value. */
static inline uint32_t tm_quantile_bucket(uint64_t v)
{
	unsigned e;

	if (v < 2 * TM_QUANTILE_STEPS)
		return (uint32_t)v;
	e = 63u - (unsigned)__builtin_clzll(v) - 6;
	return (uint32_t)(e * TM_QUANTILE_STEPS + (v >> e));
}

/* The rest of tm_quantile_add: few values yet, or a bucket that is not there.  False when out of
 * memory. */
bool tm_quantile_slow_add(struct tm_quantile *q, uint64_t v);

/* Add a value; false when out of memory. */
static inline bool tm_quantile_add(struct tm_quantile *q, uint64_t v)
{
	uint32_t b = tm_quantile_bucket(v) - q->first;

	if (q->count && b < q->nbuckets) {
		q->count[b]++;
		q->n++;
		return true;
	}
	return tm_quantile_slow_add(q, v);
}

/* Add all of `from`; false when out of memory. */
bool tm_quantile_merge(struct tm_quantile *q, const struct tm_quantile *from);

/* Append it to *out as bytes that mean the same on every machine (schemas/run.sql, rollup.sketch).
 * Sorts the values, so not const.  False when out of memory. */
bool tm_quantile_save(struct tm_quantile *q, struct tm_buf *out);

/* Add a quantile saved in p[0..n), which kept as many values, or more.  False when out of memory,
 * or (*bad) when it is not a saved quantile of `calls` values; then *q must not be used. */
bool tm_quantile_merge_saved(struct tm_quantile *q, const unsigned char *p, size_t n,
                             uint64_t calls, bool *bad);

/* The permille-quantile (500 = median), 1 .. 1000; q->n must not be 0.  min and max are those of
 * the values, which the caller knows.  Reorders the values, so not const. */
uint64_t tm_quantile_at(struct tm_quantile *q, unsigned permille, uint64_t min, uint64_t max);

/* Free it; {0} again. */
void tm_quantile_fini(struct tm_quantile *q);

#endif
