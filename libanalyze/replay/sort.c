/* SPDX-License-Identifier: MIT */
#include "replay/sort.h"

#include <stdlib.h>
#include <string.h>

/* Few runs are merged; with more, and enough keys, they are dealt out digit by digit. */
enum { FEW_RUNS = 8, ENOUGH = 4096, DIGIT = 11 };

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

/* The runs [i, mid) and [mid, end). */
static void merge(const struct key *v, size_t i, size_t mid, size_t end, struct key *out)
{
	size_t k = mid;

	while (i < mid && k < end) {
		const bool second = after(&v[i], &v[k]);

		*out++ = v[second ? k : i];
		i += !second;
		k += second;
	}
	memcpy(out, v + i, (mid - i) * sizeof *out);
	memcpy(out + (mid - i), v + k, (end - k) * sizeof *out);
}

/* Where runs begin, and the end of the last. */
struct runs {
	size_t n, begin[FEW_RUNS + 1];
};

/* Do a few passes of merges bring them in order? */
static bool few_runs(const struct key *v, size_t n, struct runs *r)
{
	r->n = 0;
	for (size_t i = 0; i < n; i = run_end(v, i, n)) {
		if (r->n == FEW_RUNS)
			return false;
		r->begin[r->n++] = i;
	}
	r->begin[r->n] = n;
	return true;
}

static void merge_runs(struct key *v, struct key *room, size_t n, struct runs *r)
{
	struct key *from = v, *to = room;

	while (r->n > 1) {
		struct key *swap = from;
		size_t left = 0;

		for (size_t k = 0; k < r->n; k += 2) {
			const size_t i = r->begin[k], mid = r->begin[k + 1],
			             end = k + 1 < r->n ? r->begin[k + 2] : mid;

			merge(from, i, mid, end, to + i);
			r->begin[left++] = i;
		}
		r->begin[r->n = left] = n;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

static void sort_merging(struct key *v, struct key *room, size_t n)
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
			merge(from, i, mid, end, to + i);
		}
		swap = from;
		from = to;
		to = swap;
	} while (runs > 1);
done:
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

/* Keys by one digit of a - least; those of one digit stay in their order. */
static void deal(const struct key *from, struct key *to, size_t n, uint64_t least, unsigned shift)
{
	size_t at[1 << DIGIT] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(from[i].a - least) >> shift & ((1 << DIGIT) - 1)]++;
	for (size_t d = 0; d < 1 << DIGIT; d++) {
		size_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(from[i].a - least) >> shift & ((1 << DIGIT) - 1)]++] = from[i];
}

static void sort_dealing(struct key *v, struct key *room, size_t n)
{
	uint64_t least = v[0].a, most = v[0].a;
	struct key *from = v, *to = room;

	for (size_t i = 1; i < n; i++) {
		least = v[i].a < least ? v[i].a : least;
		most = v[i].a > most ? v[i].a : most;
	}
	for (unsigned shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT) {
		struct key *swap = from;

		deal(from, to, n, least, shift);
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].a == v[i].a;)
			end++;
		if (end - i > 1)
			sort_merging(v + i, room, end - i);
	}
}

void tm_replay_sort(struct key *v, struct key *room, size_t n)
{
	struct runs r;

	if (few_runs(v, n, &r))
		merge_runs(v, room, n, &r);
	else if (n < ENOUGH)
		sort_merging(v, room, n);
	else
		sort_dealing(v, room, n);
}

enum { BYTE = 8, VALUES = 1 << BYTE };

/* Of those that share the bits above them, the bits that the middle one has, from the highest on:
 * each step leaves those numbers that have them, in front. */
uint64_t tm_replay_median(uint64_t *v, size_t n)
{
	size_t rank = n ? (n - 1) / 2 : 0;

	if (!n)
		return 0;
	for (unsigned shift = 64; shift;) {
		size_t count[VALUES] = { 0 }, kept = 0, digit = 0;

		shift -= BYTE;
		for (size_t i = 0; i < n; i++)
			count[v[i] >> shift & (VALUES - 1)]++;
		for (; rank >= count[digit]; digit++)
			rank -= count[digit];
		for (size_t i = 0; i < n && count[digit] < n; i++)
			if ((v[i] >> shift & (VALUES - 1)) == digit)
				v[kept++] = v[i];
		n = count[digit];
	}
	return v[0];
}
