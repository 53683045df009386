/* SPDX-License-Identifier: MIT */
#include "agg/quantile.h"

#include "base/buf.h"
#include "base/wide.h"

#include <stdlib.h>
#include <string.h>

/* Buckets lo .. hi are there, with the counts so far. */
static bool cover(struct quantile *q, uint32_t lo, uint32_t hi)
{
	uint64_t *count;

	if (q->nbuckets) {
		if (lo >= q->first && hi < q->first + q->nbuckets)
			return true;
		lo = lo < q->first ? lo : q->first;
		hi = hi > q->first + q->nbuckets - 1 ? hi : q->first + q->nbuckets - 1;
	}
	/* A power of two of slack on both sides: few kernels need a second growth. */
	lo = lo > QUANTILE_STEPS ? lo - QUANTILE_STEPS : 0;
	hi = hi + QUANTILE_STEPS < QUANTILE_BUCKETS ? hi + QUANTILE_STEPS : QUANTILE_BUCKETS - 1;
	count = calloc(hi - lo + 1, sizeof *count);
	if (!count)
		return false;
	if (q->nbuckets)
		memcpy(count + (q->first - lo), q->count, q->nbuckets * sizeof *count);
	free(q->count);
	q->count = count;
	q->first = lo;
	q->nbuckets = hi - lo + 1;
	return true;
}

/* From single values to buckets. */
static bool to_buckets(struct quantile *q)
{
	if (!cover(q, quantile_bucket(q->min), quantile_bucket(q->max)))
		return false;
	for (uint64_t i = 0; i < q->n; i++)
		q->count[quantile_bucket(q->value[i]) - q->first]++;
	free(q->value);
	q->value = NULL;
	q->cap = 0;
	return true;
}

bool quantile_slow_add(struct quantile *q, uint64_t v)
{
	uint32_t b = quantile_bucket(v);

	if (!q->n || v < q->min)
		q->min = v;
	if (!q->n || v > q->max)
		q->max = v;
	if (!q->count && q->n < QUANTILE_EXACT) {
		if (!grow_array(&q->value, &q->cap, q->n + 1, sizeof *q->value))
			return false;
		q->value[q->n++] = v;
		return true;
	}
	if (!q->count && !to_buckets(q))
		return false;
	if (!cover(q, b, b))
		return false;
	q->count[b - q->first]++;
	q->n++;
	return true;
}

bool quantile_merge(struct quantile *q, const struct quantile *from)
{
	if (!from->n)
		return true;
	if (!from->count) {
		for (uint64_t i = 0; i < from->n; i++)
			if (!quantile_add(q, from->value[i]))
				return false;
		return true;
	}
	if (!q->n || from->min < q->min)
		q->min = from->min;
	if (!q->n || from->max > q->max)
		q->max = from->max;
	if (!q->count && q->n && !to_buckets(q))
		return false;
	if (!cover(q, from->first, from->first + from->nbuckets - 1))
		return false;
	for (uint32_t i = 0; i < from->nbuckets; i++)
		q->count[from->first + i - q->first] += from->count[i];
	q->n += from->n;
	return true;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* The middle of a bucket. */
static uint64_t middle(uint32_t b)
{
	unsigned e;
	uint64_t lo;

	if (b < 2 * QUANTILE_STEPS)
		return b;
	e = b / QUANTILE_STEPS - 1;
	lo = (uint64_t)(b - e * QUANTILE_STEPS) << e;
	return lo + ((UINT64_C(1) << e) - 1) / 2;
}

uint64_t quantile_at(struct quantile *q, unsigned permille)
{
	uint64_t rank = (uint64_t)(((u128)q->n * permille + 999) / 1000), seen = 0, v;
	uint32_t b = 0;

	if (!q->count) {
		qsort(q->value, q->n, sizeof *q->value, by_value);
		return q->value[rank - 1];
	}
	while ((seen += q->count[b]) < rank)
		b++;
	/* The ends are known exactly. */
	if (rank == q->n)
		return q->max;
	v = middle(b + q->first);
	return v < q->min ? q->min : v > q->max ? q->max : v;
}

void quantile_fini(struct quantile *q)
{
	free(q->value);
	free(q->count);
	*q = (struct quantile){ 0 };
}
