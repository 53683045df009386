/* SPDX-License-Identifier: MIT
 *
 * A stretch of more than half of the sequence holds one of four evenly spaced places m together
 * with m + p.  Let v[i] == v[i + p] hold for `before` places left of m and `after` from m on:
 * before + after >= p and p + before + after > n / 2, so one of the two is more than n / 8.
 *
 * So, for each m, p = 1, 2, ... is looked at only where a few names from m on, or before m, come
 * again at a distance of p; how far, is counted.  Where that is not the end of it soon, because
 * most of the sequence almost repeats, two Z functions tell of every p at once.
 *
 * Searching for the next equal name takes most of the time, so names are first copied into the
 * numbers of the sequence, where these are an array of their own. */
#include "agg/period.h"

enum { ANCHORS = 4, WINDOW = 32, PATIENCE = 8 };

/* n names from place `at` on, forwards (step 1) or backwards (-1). */
struct text {
	const struct tm_sequence *q;
	const uint32_t *names; /* copied names of all places, or NULL */
	ptrdiff_t at, step;
	size_t n;
};

static uint32_t item(const struct text *s, size_t i)
{
	const size_t place = (size_t)(s->at + (ptrdiff_t)i * s->step);

	return s->names ? s->names[place] : tm_sequence_name(s->q, place);
}

static bool is_better(const struct tm_period *a, const struct tm_period *b)
{
	if (a->length != b->length)
		return !b->length || a->length < b->length;
	if (a->to - a->from != b->to - b->from)
		return a->to - a->from > b->to - b->from;
	return a->from < b->from;
}

/* The stretch of period p that holds m and m + p, as far as it goes, is `one`. */
static void consider(const struct tm_sequence *q, size_t m, const struct tm_period *one,
                     struct tm_period *best)
{
	size_t same = (m - one->from) + (one->to - one->length - m);

	if (same >= one->length && one->to - one->from > q->n / 2 && is_better(one, best))
		*best = *one;
}

/* ---- one period after the other ---- */

/* How many names of two texts are the same from their beginnings on, at most `most`. */
static size_t same_names(const struct text *a, const struct text *b, size_t most)
{
	size_t n = 0;

	most = most < a->n ? most : a->n;
	most = most < b->n ? most : b->n;
	while (n < most && item(a, n) == item(b, n))
		n++;
	return n;
}

/* A search through the names after an anchor. */
struct look {
	const uint32_t *names; /* as in struct text */
	struct tm_sequence_walk walk;
	uint32_t first, last, now; /* names at the anchor, before it, at the current place */
	bool any_before;           /* a name precedes the anchor */
};

static bool is_like(const struct look *l, uint32_t before, uint32_t now)
{
	return now == l->first || (l->any_before && before == l->last);
}

/* The next place in [i, to) that has the anchor's name, or whose predecessor has the name before
 * the anchor; `to` if there is none. */
static size_t next_like(struct look *l, size_t i, size_t to)
{
	for (; l->names && i < to; i++)
		if (is_like(l, l->names[i - 1], l->names[i]))
			return i;
	for (; i < to; i++) {
		uint32_t before = l->now;

		l->now = tm_sequence_walk_name(&l->walk);
		if (is_like(l, before, l->now))
			return i;
	}
	return i;
}

/* As find_at; false when it would take more than *steps, with which `best` may be found or not. */
static bool try_at(const struct tm_sequence *q, const uint32_t *names, size_t m,
                   struct tm_period *best, size_t *steps)
{
	const size_t n = q->n, window = n / 8 + 1 < WINDOW ? n / 8 + 1 : WINDOW;
	const struct text right = { q, names, (ptrdiff_t)m, 1, n - m };
	const struct text left = { q, names, (ptrdiff_t)m - 1, -1, m };
	const bool inside = m >= best->from && m + best->length < best->to;
	struct look l = { .names = names,
		          .first = item(&right, 0),
		          .last = m ? item(&left, 0) : 0,
		          .any_before = m > 0 };
	size_t end = m + n / 2 + 1 < n ? m + n / 2 + 1 : n;

	l.now = l.first;
	tm_sequence_walk_from(&l.walk, q, m + 1);
	for (size_t i = m + 1;; i++) {
		struct text here = { q, names, 0, 1, 0 }, back = { q, names, 0, -1, 0 };
		struct tm_period one;

		/* Not longer than the best, nor the same stretch again. */
		if (best->length && m + best->length + !inside < end)
			end = m + best->length + !inside;
		i = next_like(&l, i, end);
		if (i >= end)
			return true;
		here.at = (ptrdiff_t)i;
		here.n = n - i;
		back.at = (ptrdiff_t)i - 1;
		back.n = i;
		if (same_names(&right, &here, window) < window &&
		    same_names(&left, &back, window) < window)
			continue;
		one = (struct tm_period) { .length = i - m,
			                   .from = m - same_names(&left, &back, n),
			                   .to = i + same_names(&right, &here, n) };
		consider(q, m, &one, best);
		if (one.to - one.from > *steps)
			return false;
		*steps -= one.to - one.from;
	}
}

/* Copy the names; NULL where numbers are kept in tags, which are no quicker to read than names. */
static const uint32_t *write_names(struct tm_sequence *q)
{
	struct tm_sequence_walk walk;

	if (!q->number)
		return NULL;
	tm_sequence_walk_from(&walk, q, 0);
	for (size_t i = 0; i < q->n; i++)
		q->number[i] = tm_sequence_walk_name(&walk);
	return q->number;
}

/* ---- all at once ---- */

/* Numbers, written at the places from `at` on. */
struct numbers {
	struct tm_sequence *q;
	size_t at;
};

static uint32_t number(const struct numbers *z, size_t i)
{
	return tm_sequence_read(z->q, z->at + i);
}

static void put_number(const struct numbers *z, size_t i, size_t number)
{
	tm_sequence_write(z->q, z->at + i, (uint32_t)number);
}

/* The part of a text that is known to equal the beginning of a pattern. */
struct box {
	size_t lo, hi;
};

/* How long t[i ..] and a begin alike; z is that of a itself, as far as it is known: below the
 * length of what the box holds.  i ascends from call to call. */
static size_t alike(const struct text *a, const struct text *t, const struct numbers *z, size_t i,
                    struct box *b)
{
	size_t n = 0;

	if (i < b->hi) {
		n = number(z, i - b->lo);
		if (n < b->hi - i)
			return n;
		n = b->hi - i;
	}
	while (n < a->n && i + n < t->n && item(a, n) == item(t, i + n))
		n++;
	*b = (struct box) { i, i + n };
	return n;
}

static void z_function(const struct text *a, const struct numbers *z)
{
	struct box b = { 0, 0 };

	if (a->n)
		put_number(z, 0, a->n);
	for (size_t i = 1; i < a->n; i++)
		put_number(z, i, alike(a, a, z, i, &b));
}

/* The best stretch that holds m and m + its period. */
static void find_at(struct tm_sequence *q, size_t m, struct tm_period *best)
{
	size_t n = q->n;
	const struct text right = { q, NULL, (ptrdiff_t)m, 1, n - m };
	const struct text left = { q, NULL, (ptrdiff_t)m - 1, -1, m };
	const struct text all = { q, NULL, (ptrdiff_t)n - 1, -1, n };
	const struct numbers zr = { q, m }, zl = { q, 0 };
	struct box b = { 0, 0 };

	z_function(&right, &zr);
	z_function(&left, &zl);
	/* From the last place backwards: what ends right before m + p, against what ends before m.
	 */
	for (size_t i = 0; i < n - m; i++) {
		size_t p = n - m - i, before = alike(&left, &all, &zl, i, &b);
		size_t behind = p < n - m ? number(&zr, p) : 0;
		const struct tm_period one = { p, m - before, m + p + behind };

		consider(q, m, &one, best);
	}
}

enum tm_status tm_period_find(struct tm_sequence *q, struct tm_period *out)
{
	size_t steps = PATIENCE * q->n;
	const uint32_t *names;
	bool few = true;

	*out = (struct tm_period) { 0 };
	if (q->n < 2)
		return TM_ST_END;
	if (q->n >= UINT32_MAX)
		return TM_ST_FATAL;
	names = write_names(q);
	for (size_t k = 0; few && k < ANCHORS; k++)
		few = try_at(q, names, q->n * k / ANCHORS, out, &steps);
	for (size_t k = 0; !few && k < ANCHORS; k++)
		find_at(q, q->n * k / ANCHORS, out);
	return out->length ? TM_ST_OK : TM_ST_END;
}
