/* SPDX-License-Identifier: MIT */
#include "diff/length.h"

#include <math.h>
#include <stdlib.h>

#define NEARLY_ALL 0.9 /* of the time and of the calls of both sides */
#define APART      2.0 /* a run that ends within its second step calls some kernels twice */

/* Time and calls of kernels, on both sides. */
struct weight {
	double ns, calls;
};

struct often {
	const struct tm_pair *pair;
	double times;
	struct weight weight;
};

static struct weight weight_of(const struct tm_pair *p)
{
	const struct tm_moments *a = &p->side[TM_SIDE_A].m, *b = &p->side[TM_SIDE_B].m;

	return (struct weight) { (double)a->sum + (double)b->sum, (double)a->n + (double)b->n };
}

static struct weight less(struct weight a, struct weight b)
{
	return (struct weight) { a.ns - b.ns, a.calls - b.calls };
}

static bool is_nearly_all(struct weight w, struct weight all)
{
	/* Sums of the same numbers in another order may differ in their last digits. */
	return w.ns >= (NEARLY_ALL - 1e-9) * all.ns && w.calls >= (NEARLY_ALL - 1e-9) * all.calls;
}

/* Calls of a kernel on side B over those on side A; 0 where one has none. */
static double times_as_often(const struct tm_pair *p, const uint64_t units[TM_SIDES])
{
	const struct tm_moments *a = &p->side[TM_SIDE_A].m, *b = &p->side[TM_SIDE_B].m;

	return a->n && b->n ? (double)b->n / (double)units[TM_SIDE_B] /
	                              ((double)a->n / (double)units[TM_SIDE_A])
	                    : 0;
}

static int by_times(const void *a, const void *b)
{
	const struct often *x = a, *y = b;

	if (x->times != y->times)
		return x->times < y->times ? -1 : 1;
	return (x->pair > y->pair) - (x->pair < y->pair);
}

/* What the kernel with the most time says of all: v[0..n) in ascending order. */
static const struct often *heaviest(const struct often *v, size_t n)
{
	const struct often *most = v;

	for (size_t i = 1; i < n; i++)
		if (v[i].weight.ns > most->weight.ns)
			most = &v[i];
	return most;
}

/* Which end of a range is farther from the middle, as a factor?  Of two as far the lighter one, so
 * that A against B says what B against A does. */
static bool is_low_end(const struct often *lo, const struct often *mid, const struct often *hi)
{
	double a = mid->times * mid->times, b = lo->times * hi->times;

	if (fabs(a - b) > 1e-12 * a)
		return a > b;
	if (lo->weight.ns != hi->weight.ns)
		return lo->weight.ns < hi->weight.ns;
	return lo->pair < hi->pair;
}

/* The narrowest range around the heaviest kernel that holds nearly all. */
static void find_range(struct tm_length *l, const struct often *v, size_t n, struct weight all,
                       double floor)
{
	const struct often *mid = heaviest(v, n), *lo = v, *hi = v + n - 1;
	struct weight left = all;

	if (!tm_sig_above(fmax(mid->times, 1 / mid->times) - 1, floor))
		return;
	while (lo < hi) {
		bool low = is_low_end(lo, mid, hi);
		struct weight rest = less(left, (low ? lo : hi)->weight);

		if (!is_nearly_all(rest, all))
			break;
		left = rest;
		if (low)
			lo++;
		else
			hi--;
	}
	if (!(lo->times > 0) || hi->times > APART * lo->times ||
	    (!tm_sig_above(lo->times - 1, floor) && !tm_sig_above(1 / hi->times - 1, floor)))
		return;
	*l = (struct tm_length) { { lo->times, hi->times }, { lo->pair, hi->pair } };
}

bool tm_length_find(struct tm_length *l, const struct tm_pairs *k, const uint64_t units[TM_SIDES],
                    double floor)
{
	struct often *v = calloc(k->n + 1, sizeof *v);
	struct weight all = { 0 };

	*l = (struct tm_length) { 0 };
	for (size_t i = 0; v && i < k->n; i++) {
		v[i] = (struct often) { &k->v[i], times_as_often(&k->v[i], units),
			                weight_of(&k->v[i]) };
		all.ns += v[i].weight.ns;
		all.calls += v[i].weight.calls;
	}
	if (v && k->n) {
		qsort(v, k->n, sizeof *v, by_times);
		find_range(l, v, k->n, all, floor);
	}
	free(v);
	return v != NULL;
}
