/* SPDX-License-Identifier: MIT */
#include "agg/significance.h"
#include "agg/change_points.h"

#include "base/base.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	EXCEEDED = 20,  /* so many orders at least as extreme: more would not make p small */
	PER_LEVEL = 10, /* orders tried, over 1 / alpha */
	MOST = 20000,   /* of them, or twice what a p of alpha takes */
	ALL_ENDS = 400, /* values up to which the time to try all is short */
	ROUNDS = 16,    /* of places and levels, which settle after two or three */
};

struct search {
	const double *v;
	double alpha, floor;
	double *rank, *sorted, *sum; /* of a stretch */
	struct tm_change_point *out;
	size_t found;
	uint64_t random;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(struct search *s, size_t from, size_t to)
{
	size_t n = to - from;

	memcpy(s->sorted, s->v + from, n * sizeof *s->sorted);
	qsort(s->sorted, n, sizeof *s->sorted, by_value);
	return (s->sorted[(n - 1) / 2] + s->sorted[n / 2]) / 2;
}

/* Mean ranks of v[from..to) less their mean, into s->rank. */
static void rank_stretch(struct search *s, size_t from, size_t to)
{
	size_t n = to - from;

	memcpy(s->sorted, s->v + from, n * sizeof *s->sorted);
	qsort(s->sorted, n, sizeof *s->sorted, by_value);
	for (size_t i = 0; i < n; i++) {
		size_t below = 0, equal = 0, lo = 0, hi = n;

		TM_BISECT(lo, hi, mid, s->sorted[mid] < s->v[from + i]);
		below = lo;
		while (lo + equal < n && s->sorted[lo + equal] == s->v[from + i])
			equal++;
		s->rank[i] = (double)below + (double)(equal - 1) / 2 - (double)(n - 1) / 2;
	}
}

/* A place to cut ranks, and how good it is: squared difference of the mean ranks of [from, at) and
 * [at, to), over what that would be on average. */
struct cut {
	size_t at;
	double score;
};

/* sum[i]: of the first i ranks.  The best of all `at` with the same `to`. */
static void try_cuts(const double *sum, size_t to, struct cut *best)
{
	for (size_t k = TM_CHANGE_LEAST; k + TM_CHANGE_LEAST <= to; k++) {
		double left = sum[k] / (double)k, right = (sum[to] - sum[k]) / (double)(to - k),
		       score = (left - right) * (left - right) * (double)k * (double)(to - k) /
		               (double)to;

		if (score > best->score)
			*best = (struct cut) { k, score };
	}
}

/* What comes after the next change only hides this one, so ends before the last are tried, too,
 * unless there are very many. */
static size_t first_end(size_t n)
{
	return n <= ALL_ENDS ? 2 * TM_CHANGE_LEAST : n;
}

/* The best place to cut n ranks. */
static struct cut best_cut(struct search *s, size_t n)
{
	struct cut best = { 0, -1 };

	s->sum[0] = 0;
	for (size_t i = 0; i < n; i++)
		s->sum[i + 1] = s->sum[i] + s->rank[i];
	for (size_t to = first_end(n); to <= n; to++)
		try_cuts(s->sum, to, &best);
	return best;
}

/* xorshift64*: the same order of orders for everybody. */
static size_t below(struct search *s, size_t n)
{
	s->random ^= s->random >> 12;
	s->random ^= s->random << 25;
	s->random ^= s->random >> 27;
	return (size_t)((s->random * UINT64_C(2685821657736338717) >> 33) % n);
}

static void shuffle(struct search *s, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = below(s, i);
		double keep = s->rank[i - 1];

		s->rank[i - 1] = s->rank[k];
		s->rank[k] = keep;
	}
}

/* How many cuts of [0, to) from k on, before `end`, are that good?  Without division, and without a
 * way out: so it is done for several at a time. */
static size_t count_cuts(const double *sum, size_t to, size_t k, size_t end, double score)
{
	double total = sum[to], n = (double)to;
	size_t found = 0;

	for (; k < end; k++) {
		double at = (double)k, apart = sum[k] * n - total * at;

		found += apart * apart >= score * at * (n - at) * n;
	}
	return found;
}

/* Has the order at hand a cut that good?  With no sum farther from 0 than `far`, the score of
 * [0, k) and [k, to) is at most (2 far)^2 / (k (to - k) / to), so of good scores only cuts near
 * either end are worth a try. */
static bool any_cut(struct search *s, size_t n, double score)
{
	double far = 0, most;

	s->sum[0] = 0;
	for (size_t i = 0; i < n; i++) {
		s->sum[i + 1] = s->sum[i] + s->rank[i];
		far = fmax(far, fabs(s->sum[i + 1]));
	}
	most = 4 * far * far / score * (1 + 1e-9);
	for (size_t to = first_end(n); to <= n; to++) {
		size_t end = to + 1 - TM_CHANGE_LEAST, k = TM_CHANGE_LEAST;

		while (k < (to + 1) / 2 && (double)k * (double)(to - k) <= most * (double)to)
			k++;
		/* k and what is between it and its like from the end is too far inside. */
		if (k < (to + 1) / 2 ? count_cuts(s->sum, to, TM_CHANGE_LEAST, k, score) ||
		                               count_cuts(s->sum, to, to + 1 - k, end, score)
		                     : count_cuts(s->sum, to, TM_CHANGE_LEAST, end, score))
			return true;
	}
	return false;
}

/* How often would another order have a cut as good?  Sequential: it is given up as soon as that is
 * often. */
static double p_of(struct search *s, size_t n, double best)
{
	double want = fmin(PER_LEVEL / s->alpha, fmax(MOST, ceil(2 / s->alpha)));
	size_t tries = (size_t)want, more = 0;

	for (size_t i = 0; i < tries; i++) {
		shuffle(s, n);
		/* Sums of the same numbers in another order may differ in their last digits. */
		more += any_cut(s, n, best * (1 - 1e-12));
		if (more == EXCEEDED)
			return (double)more / (double)(i + 1);
	}
	return (double)(more + 1) / (double)(tries + 1);
}

/* Where the values change from around one level to around another: ranks know that less well. */
static size_t place_of(const struct search *s, const struct tm_change_point *c)
{
	double sum = 0, best = INFINITY;
	size_t at = c->at;

	for (size_t i = c->from; i < c->to; i++)
		sum += fabs(s->v[i] - c->after);
	for (size_t i = c->from; i + TM_CHANGE_LEAST <= c->to; i++) {
		if (i >= c->from + TM_CHANGE_LEAST && sum < best) {
			best = sum;
			at = i;
		}
		sum += fabs(s->v[i] - c->before) - fabs(s->v[i] - c->after);
	}
	return at;
}

static void search(struct search *s, size_t from, size_t to)
{
	size_t n = to - from;
	struct tm_change_point c = { .from = from, .to = to };
	struct cut best;

	if (n < 2 * TM_CHANGE_LEAST)
		return;
	rank_stretch(s, from, to);
	best = best_cut(s, n);
	if (!(best.score > 0))
		return;
	c.at = from + best.at;
	c.p = p_of(s, n, best.score);
	if (c.p > s->alpha)
		return;
	/* On both sides, and then within them: what is beyond the next change is another level. */
	search(s, from, c.at);
	s->out[s->found] = c;
	s->found++;
	search(s, c.at, to);
}

/* Levels between neighbors, and away with changes that do not matter. */
static void find_levels(struct search *s, size_t n)
{
	for (size_t i = 0; i < s->found;) {
		struct tm_change_point *c = &s->out[i];
		double low;

		c->from = i ? c[-1].at : 0;
		c->to = i + 1 < s->found ? c[1].at : n;
		c->before = median_of(s, c->from, c->at);
		c->after = median_of(s, c->at, c->to);
		low = c->before < c->after ? c->before : c->after;
		if (low > 0 ? tm_sig_above(fabs(c->after - c->before) / low, s->floor)
		            : c->after != c->before) {
			i++;
			continue;
		}
		s->found--;
		memmove(c, c + 1, (s->found - i) * sizeof *c);
		i = i ? i - 1 : 0;
	}
}

/* Every change to where the levels say that it is; did one move? */
static bool find_places(struct search *s)
{
	bool moved = false;

	for (size_t i = 0; i < s->found; i++) {
		struct tm_change_point *c = &s->out[i];
		size_t at;

		c->from = i ? c[-1].at : 0;
		at = place_of(s, c);
		moved |= at != c->at;
		c->at = at;
	}
	return moved;
}

/* Places follow from levels, and levels from places. */
static void settle(struct search *s, size_t n)
{
	find_levels(s, n);
	for (int i = 0; i < ROUNDS && find_places(s); i++)
		find_levels(s, n);
}

/* False when out of memory. */
static bool open_search(struct search *s, size_t n)
{
	s->random = UINT64_C(0x9e3779b97f4a7c15);
	s->rank = calloc(n + 1, sizeof *s->rank);
	s->sorted = calloc(n + 1, sizeof *s->sorted);
	s->sum = calloc(n + 1, sizeof *s->sum);
	return s->rank && s->sorted && s->sum;
}

static void close_search(struct search *s)
{
	free(s->rank);
	free(s->sorted);
	free(s->sum);
}

bool tm_change_points(const double *v, size_t n, double alpha, double floor,
                      struct tm_change_point *out, size_t *found)
{
	struct search s = { .v = v, .alpha = alpha, .floor = floor, .out = out };
	bool ok = open_search(&s, n);

	if (ok) {
		search(&s, 0, n);
		settle(&s, n);
	}
	*found = s.found;
	close_search(&s);
	return ok;
}

bool tm_change_likeliest(const double *v, size_t n, double alpha, double floor,
                         struct tm_change_point *out, bool *found)
{
	struct search s = { .v = v, .alpha = alpha, .floor = floor, .out = out };
	bool ok = open_search(&s, n);
	struct cut best = { 0, -1 };

	if (ok && n >= 2 * TM_CHANGE_LEAST) {
		rank_stretch(&s, 0, n);
		best = best_cut(&s, n);
	}
	if (best.score > 0) {
		*out = (struct tm_change_point) { .at = best.at, .p = p_of(&s, n, best.score) };
		s.found = 1;
		settle(&s, n);
	}
	*found = s.found > 0;
	close_search(&s);
	return ok;
}
