/* SPDX-License-Identifier: MIT */
#include "agg/quantile.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { STRIDE = 16 }; /* buckets that are added up at once */

/* How many values are all kept. */
static uint64_t most(const struct tm_quantile *q)
{
	return q->most ? q->most : TM_QUANTILE_EXACT;
}

/* Buckets lo .. hi are there, with the counts so far. */
static bool cover(struct tm_quantile *q, uint32_t lo, uint32_t hi)
{
	uint64_t *count;

	if (q->nbuckets) {
		if (lo >= q->first && hi < q->first + q->nbuckets)
			return true;
		lo = lo < q->first ? lo : q->first;
		hi = hi > q->first + q->nbuckets - 1 ? hi : q->first + q->nbuckets - 1;
	}
	/* A power of two of slack on both sides: few kernels need a second growth. */
	lo = lo > TM_QUANTILE_STEPS ? lo - TM_QUANTILE_STEPS : 0;
	hi = hi + TM_QUANTILE_STEPS < TM_QUANTILE_BUCKETS ? hi + TM_QUANTILE_STEPS
	                                                  : TM_QUANTILE_BUCKETS - 1;
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
static bool to_buckets(struct tm_quantile *q)
{
	uint32_t lo = TM_QUANTILE_BUCKETS, hi = 0;

	for (uint64_t i = 0; i < q->n; i++) {
		uint32_t b = tm_quantile_bucket(q->value[i]);

		lo = b < lo ? b : lo;
		hi = b > hi ? b : hi;
	}
	if (!cover(q, lo, hi))
		return false;
	for (uint64_t i = 0; i < q->n; i++)
		q->count[tm_quantile_bucket(q->value[i]) - q->first]++;
	free(q->value);
	q->value = NULL;
	q->cap = 0;
	return true;
}

bool tm_quantile_slow_add(struct tm_quantile *q, uint64_t v)
{
	uint32_t b = tm_quantile_bucket(v);

	if (!q->count && q->n < most(q)) {
		if (!tm_grow_array(&q->value, &q->cap, q->n + 1, sizeof *q->value))
			return false;
		q->value[q->n++] = v;
		q->sorted = false;
		return true;
	}
	if ((!q->count && !to_buckets(q)) || !cover(q, b, b))
		return false;
	q->count[b - q->first]++;
	q->n++;
	return true;
}

/* Room for n more single values at once; false when they cannot all be single, or out of memory. */
static bool room_for(struct tm_quantile *q, uint64_t n)
{
	return !q->count && q->n + n <= most(q) &&
	       tm_grow_array(&q->value, &q->cap, q->n + n, sizeof *q->value);
}

bool tm_quantile_merge(struct tm_quantile *q, const struct tm_quantile *from)
{
	if (!from->n)
		return true;
	if (!from->count && room_for(q, from->n)) {
		q->sorted = !q->n && from->sorted;
		memcpy(q->value + q->n, from->value, from->n * sizeof *q->value);
		q->n += from->n;
		return true;
	}
	if (!from->count) {
		for (uint64_t i = 0; i < from->n; i++)
			if (!tm_quantile_add(q, from->value[i]))
				return false;
		return true;
	}
	if (!q->count && q->n && !to_buckets(q))
		return false;
	if (!cover(q, from->first, from->first + from->nbuckets - 1))
		return false;
	for (uint32_t i = 0; i < from->nbuckets; i++)
		q->count[from->first + i - q->first] += from->count[i];
	q->n += from->n;
	return true;
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a, b;

	memcpy(&a, pa, sizeof a);
	memcpy(&b, pb, sizeof b);
	return (a > b) - (a < b);
}

bool tm_quantile_save(struct tm_quantile *q, struct tm_buf *out)
{
	uint64_t before = 0, used = 0;

	if (!q->count) {
		if (q->n && !q->sorted)
			qsort(q->value, q->n, sizeof *q->value, by_value);
		q->sorted = true;
		tm_num_put_varint(out, 0);
		tm_num_put_varint(out, q->n);
		for (uint64_t i = 0; i < q->n; i++) {
			tm_num_put_varint(out, q->value[i] - before);
			before = q->value[i];
		}
		return !out->failed;
	}
	for (uint32_t i = 0; i < q->nbuckets; i++)
		used += q->count[i] != 0;
	tm_num_put_varint(out, 1);
	tm_num_put_varint(out, used);
	for (uint32_t i = 0; i < q->nbuckets; i++) {
		if (!q->count[i])
			continue;
		tm_num_put_varint(out, q->first + i - before);
		tm_num_put_varint(out, q->count[i]);
		before = q->first + i;
	}
	return !out->failed;
}

/* n single values; more than are kept single is no quantile of ours. */
static bool merge_values(struct tm_quantile *q, const unsigned char *p, const unsigned char *end,
                         uint64_t calls, bool *bad)
{
	uint64_t n, d, v = 0;
	bool room;

	*bad = true;
	if (!tm_num_get_varint(&p, end, &n) || n != calls || n > TM_QUANTILE_EXACT)
		return false;
	room = room_for(q, n);
	q->sorted = !q->n;
	for (uint64_t i = 0; i < n; i++) {
		if (!tm_num_get_varint(&p, end, &d) || __builtin_add_overflow(v, d, &v))
			return false;
		if (room) {
			q->value[q->n++] = v;
		} else if (!tm_quantile_add(q, v)) {
			*bad = false;
			return false;
		}
	}
	*bad = p != end;
	return !*bad;
}

static bool merge_buckets(struct tm_quantile *q, const unsigned char *p, const unsigned char *end,
                          uint64_t calls, bool *bad)
{
	const unsigned char *first;
	uint64_t used, d, count, lo = 0, b = 0, sum = 0;

	*bad = true;
	if (!tm_num_get_varint(&p, end, &used) || !used || used > TM_QUANTILE_BUCKETS ||
	    calls <= most(q))
		return false;
	first = p;
	for (uint64_t i = 0; i < used; i++) {
		if (!tm_num_get_varint(&p, end, &d) || !tm_num_get_varint(&p, end, &count) ||
		    (i && !d) || d >= TM_QUANTILE_BUCKETS || b + d >= TM_QUANTILE_BUCKETS ||
		    __builtin_add_overflow(sum, count, &sum))
			return false;
		b += d;
		lo = i ? lo : b;
	}
	if ((!q->count && q->n && !to_buckets(q)) || !cover(q, (uint32_t)lo, (uint32_t)b)) {
		*bad = false;
		return false;
	}
	/* Once more, now that there is room for all of them. */
	p = first;
	b = 0;
	for (uint64_t i = 0;
	     i < used && tm_num_get_varint(&p, end, &d) && tm_num_get_varint(&p, end, &count);
	     i++) {
		b += d;
		q->count[b - q->first] += count;
	}
	q->n += sum;
	*bad = p != end || sum != calls;
	return !*bad;
}

bool tm_quantile_merge_saved(struct tm_quantile *q, const unsigned char *p, size_t n,
                             uint64_t calls, bool *bad)
{
	const unsigned char *end = p + n;
	uint64_t how;

	*bad = true;
	if (!tm_num_get_varint(&p, end, &how) || how > 1)
		return false;
	return how ? merge_buckets(q, p, end, calls, bad) : merge_values(q, p, end, calls, bad);
}

/* The k-th smallest (from 0) of n values, by Hoare's selection: linear on average, and n is small.
 */
static uint64_t select_at(uint64_t *v, uint64_t n, uint64_t k)
{
	uint64_t lo = 0, hi = n - 1;

	while (lo < hi) {
		uint64_t pivot = v[lo + (hi - lo) / 2], i = lo, j = hi;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			uint64_t t = v[i];

			v[i++] = v[j];
			v[j--] = t;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[k];
}

/* The middle of a bucket. */
static uint64_t middle(uint32_t b)
{
	unsigned e;
	uint64_t lo;

	if (b < 2 * TM_QUANTILE_STEPS)
		return b;
	e = b / TM_QUANTILE_STEPS - 1;
	lo = (uint64_t)(b - e * TM_QUANTILE_STEPS) << e;
	return lo + ((UINT64_C(1) << e) - 1) / 2;
}

uint64_t tm_quantile_at(struct tm_quantile *q, unsigned permille, uint64_t min, uint64_t max)
{
	uint64_t rank = (uint64_t)(((tm_u128)q->n * permille + 999) / 1000), seen = 0, v;
	uint32_t b = 0;

	if (!q->count)
		return q->sorted ? q->value[rank - 1] : select_at(q->value, q->n, rank - 1);
	/* In strides as long as the rank is after them. */
	for (; b + STRIDE <= q->nbuckets; b += STRIDE) {
		uint64_t sum = 0;

		for (uint32_t i = 0; i < STRIDE; i++)
			sum += q->count[b + i];
		if (seen + sum >= rank)
			break;
		seen += sum;
	}
	while ((seen += q->count[b]) < rank)
		b++;
	/* The ends are known exactly. */
	if (rank == q->n)
		return max;
	v = middle(b + q->first);
	return v < min ? min : v > max ? max : v;
}

void tm_quantile_fini(struct tm_quantile *q)
{
	free(q->value);
	free(q->count);
	*q = (struct tm_quantile) { 0 };
}
