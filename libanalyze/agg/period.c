/* SPDX-License-Identifier: MIT
 *
 * A stretch of more than half of the sequence holds one of four evenly spaced places m together with
 * m + p.  For each m, two Z functions tell of every p at once how far v[i] == v[i + p] holds from m
 * to the right and to the left. */
#include "agg/period.h"

#include <stdbool.h>
#include <stdlib.h>

enum { ANCHORS = 4 };

/* n items from p on, forwards (step 1) or backwards (-1). */
struct seq {
	const uint32_t *p;
	ptrdiff_t step;
	size_t n;
};

static uint32_t item(const struct seq *s, size_t i)
{
	return s->p[(ptrdiff_t)i * s->step];
}

/* The part of a text that is known to equal the beginning of a pattern. */
struct box {
	size_t lo, hi;
};

/* How long t[i ..] and a begin alike; z is that of a itself, as far as it is known: below the length of
 * what the box holds.  i ascends from call to call. */
static size_t alike(const struct seq *a, const struct seq *t, const uint32_t *z, size_t i,
                    struct box *b)
{
	size_t n = 0;

	if (i < b->hi) {
		n = z[i - b->lo];
		if (n < b->hi - i)
			return n;
		n = b->hi - i;
	}
	while (n < a->n && i + n < t->n && item(a, n) == item(t, i + n))
		n++;
	*b = (struct box) { i, i + n };
	return n;
}

static void z_function(const struct seq *a, uint32_t *z)
{
	struct box b = { 0, 0 };

	if (a->n)
		z[0] = (uint32_t)a->n;
	for (size_t i = 1; i < a->n; i++)
		z[i] = (uint32_t)alike(a, a, z, i, &b);
}

static bool is_better(const struct period *a, const struct period *b)
{
	if (a->length != b->length)
		return !b->length || a->length < b->length;
	if (a->to - a->from != b->to - b->from)
		return a->to - a->from > b->to - b->from;
	return a->from < b->from;
}

/* The best stretch that holds m and m + its period; z has room for n numbers. */
static void find_at(const uint32_t *v, size_t n, size_t m, uint32_t *z, struct period *best)
{
	const struct seq right = { v + m, 1, n - m };
	const struct seq left = { m ? v + m - 1 : v, -1, m };
	const struct seq all = { v + n - 1, -1, n };
	uint32_t *zr = z, *zl = z + (n - m);
	struct box b = { 0, 0 };

	z_function(&right, zr);
	z_function(&left, zl);
	/* From the last place backwards: what ends right before m + p, against what ends before m. */
	for (size_t i = 0; i < n - m; i++) {
		size_t p = n - m - i, before = alike(&left, &all, zl, i, &b);
		size_t behind = p < n - m ? zr[p] : 0;
		const struct period one = { p, m - before, m + p + behind };

		if (before + behind >= p && one.to - one.from > n / 2 && is_better(&one, best))
			*best = one;
	}
}

enum status period_find(const uint32_t *v, size_t n, struct period *out)
{
	uint32_t *z;

	*out = (struct period) { 0 };
	if (n < 2)
		return ST_END;
	if (n >= UINT32_MAX)
		return ST_FATAL;
	z = malloc(n * sizeof *z);
	if (!z)
		return ST_FATAL;
	for (size_t k = 0; k < ANCHORS; k++)
		find_at(v, n, n * k / ANCHORS, z, out);
	free(z);
	return out->length ? ST_OK : ST_END;
}
