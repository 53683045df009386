/* SPDX-License-Identifier: MIT */
#include "replay/sort.h"

#include <stdlib.h>
#include <string.h>

static bool after(const struct key *x, const struct key *y)
{
	return x->a != y->a ? x->a > y->a : x->b > y->b;
}

/* Where the ascending run that begins at i ends. */
static size_t run_end(const struct key *v, size_t i, size_t n)
{
	for (i++; i < n && !after(&v[i - 1], &v[i]);)
		i++;
	return i;
}

static void merge(const struct key *v, size_t i, size_t mid, size_t end, struct key *out)
{
	size_t k = mid;

	for (size_t at = i; at < end; at++)
		out[at] = k >= end || (i < mid && !after(&v[i], &v[k])) ? v[i++] : v[k++];
}

void tm_replay_sort(struct key *v, struct key *room, size_t n)
{
	struct key *from = v, *to = room, *swap;
	size_t runs = 0;

	if (n < 2)
		return;
	do {
		runs = 0;
		for (size_t i = 0, mid, end; i < n; i = end, runs++) {
			mid = run_end(from, i, n);
			end = mid < n ? run_end(from, mid, n) : mid;
			if (mid == n && !runs)
				goto done;
			merge(from, i, mid, end, to);
		}
		swap = from;
		from = to;
		to = swap;
	} while (runs > 1);
done:
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

static int by_number(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

uint64_t tm_replay_median(uint64_t *v, size_t n)
{
	if (!n)
		return 0;
	qsort(v, n, sizeof *v, by_number);
	return v[(n - 1) / 2];
}
