/* SPDX-License-Identifier: MIT */
#include "agg/end_match.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum {
	ASKED = 256,     /* collectives of a whose surroundings are looked for in b */
	REACH = 1 << 15, /* places to either side where they are looked for */
	BEST = 8,        /* of the places that are most alike so many vote at most */
	ANCHORS = 3,     /* collectives that are tried, and ... */
	PLACES = 64,     /* ... places they are moved by, to see whether a line is the only one */
	LOOSE_NS = 10000 /* ends closer than this are together, whatever the starts do */
};

/* Two clocks of ranks drift apart by no more than 400 ppm. */
#define RATE_MOST (TM_CLOCK_RATE_MOST / 5 * 2)

struct tm_pairs {
	struct tm_fit_pair *v;
	size_t n;
};

static struct tm_fit_pair pair_of(const struct tm_end_op *a, const struct tm_end_op *b)
{
	return (struct tm_fit_pair) { a->start, a->end, b->start, b->end };
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0 ? b - a : a - b;
}

/* ---- pairs by number ---- */

/* All that have a number, ascending? */
static bool numbered(const struct tm_end_op *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].seq == UINT64_MAX || (i && v[i].seq <= v[i - 1].seq))
			return false;
	return true;
}

static void pair_by_number(struct tm_pairs *p, const struct tm_end_op *a, size_t n,
                           const struct tm_end_op *b, size_t m)
{
	for (size_t i = 0, k = 0; i < n && k < m;) {
		if (a[i].seq == b[k].seq)
			p->v[p->n++] = pair_of(&a[i++], &b[k++]);
		else if (a[i].seq < b[k].seq)
			i++;
		else
			k++;
	}
}

static void pair_by_place(struct tm_pairs *p, const struct tm_end_op *a, size_t n,
                          const struct tm_end_op *b)
{
	for (size_t i = 0; i < n; i++)
		p->v[p->n++] = pair_of(&a[i], &b[i]);
}

/* ---- pairs by time, once a line is known ---- */

/* The place in b whose end is nearest to a time; *at goes on. */
static size_t nearest(const struct tm_end_op *b, size_t m, uint64_t t, size_t *at)
{
	while (*at + 1 < m && distance(b[*at + 1].end, t) <= distance(b[*at].end, t))
		++*at;
	return *at;
}

/* Each with the one that is nearest, both being nearest to one another, within `most`. */
static void pair_by_time(struct tm_pairs *p, const struct tm_end_op *a, size_t n,
                         const struct tm_end_op *b, size_t m, const struct tm_clock_line *line,
                         uint64_t most)
{
	size_t at = 0, last = SIZE_MAX;

	p->n = 0;
	for (size_t i = 0; i < n && m; i++) {
		uint64_t there = tm_clock_line_at(line, a[i].end);
		size_t k = nearest(b, m, there, &at);
		uint64_t far = distance(b[k].end, there);

		if (far > most)
			continue;
		if (k == last) {
			const struct tm_fit_pair *old = &p->v[p->n - 1];

			if (distance(b[k].end, tm_clock_line_at(line, old->a_end)) <= far)
				continue;
			p->n--;
		}
		last = k;
		p->v[p->n++] = pair_of(&a[i], &b[k]);
	}
}

/* ---- a first line out of distances ---- */

/* The clocks are `d` apart at time x, says one place. */
struct vote {
	uint64_t x;
	int64_t d;
	uint64_t cost;
};

static int by_difference(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;

	return a->d != b->d ? (a->d > b->d) - (a->d < b->d) : (a->x > b->x) - (a->x < b->x);
}

static int by_time(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;

	return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->d > b->d) - (a->d < b->d);
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* How a place is looked for: by the distances to the one before and the one after, or, where
 * others come in between, by the one of the two that is more alike. */
struct look {
	bool one_side;
	size_t best; /* places that vote, BEST at most */
};

/* The places of b around which the distances are most like those around a[i]. */
static size_t ask(const struct tm_end_op *a, size_t i, const struct tm_end_op *b, size_t m,
                  const struct look *how, struct vote out[BEST])
{
	uint64_t before = a[i].end - a[i - 1].end, after = a[i + 1].end - a[i].end;
	size_t from = i > REACH ? i - REACH : 1, n = 0;

	for (size_t k = from; k + 1 < m && k <= i + REACH; k++) {
		uint64_t x = distance(b[k].end - b[k - 1].end, before);
		uint64_t y = distance(b[k + 1].end - b[k].end, after);
		uint64_t cost = !how->one_side ? x + y : x < y ? x : y;
		size_t at = n;

		if (n == how->best && cost >= out[n - 1].cost)
			continue;
		while (at && out[at - 1].cost > cost)
			at--;
		n += n < how->best;
		memmove(out + at + 1, out + at, (n - 1 - at) * sizeof *out);
		out[at] = (struct vote) { a[i].end, (int64_t)(b[k].end - a[i].end), cost };
	}
	return n;
}

/* Most votes within `width`: how many, and in *from where they begin; none of those from `lo` to
 * `hi`. */
static size_t densest(const struct vote *v, size_t n, int64_t width, tm_i128 lo, tm_i128 hi,
                      size_t *from)
{
	size_t best = 0;

	for (size_t i = 0, k = 0; i < n; i++) {
		while (k < n && (tm_i128)v[k].d - v[i].d <= width)
			k++;
		if (v[i].d <= hi && v[k - 1].d >= lo)
			continue;
		if (k - i > best) {
			best = k - i;
			*from = i;
		}
	}
	return best;
}

/* Votes that most agree on, in the order of time; 0 when no line has a clear majority. */
static size_t elect(struct vote *v, size_t n, size_t asked, int64_t width)
{
	size_t from = 0, other = 0, most, next;

	qsort(v, n, sizeof *v, by_difference);
	most = densest(v, n, width, INT64_MAX, INT64_MIN, &from);
	if (!most)
		return 0;
	next = densest(v, n, width, (tm_i128)v[from].d - width,
	               (tm_i128)v[from + most - 1].d + width, &other);
	if (most < TM_END_FEWEST - 2 || most * 20 < asked || most * 2 < next * 3)
		return 0;
	memmove(v, v + from, most * sizeof *v);
	qsort(v, most, sizeof *v, by_time);
	return most;
}

/* A line that most of the distances agree with.  TM_ST_SKIP when there is none. */
static enum tm_status first_line(const struct tm_end_op *a, size_t n, const struct tm_end_op *b,
                                 size_t m, const struct look *how, struct tm_line_fit *f)
{
	size_t every = n / ASKED + 1, asked = 0, nv = 0;
	struct vote *v = malloc((size_t)(ASKED + 1) * BEST * sizeof *v);
	uint64_t *cost = tm_array(ASKED + 1, sizeof *cost);
	struct tm_fit_pair *p = malloc((size_t)(ASKED + 1) * BEST * sizeof *p);
	enum tm_status st = v && cost && p ? TM_ST_SKIP : TM_ST_FATAL;

	for (size_t i = 1; st == TM_ST_SKIP && i + 1 < n; i += every) {
		size_t got = ask(a, i, b, m, how, v + nv);

		if (got)
			cost[asked++] = v[nv].cost;
		nv += got;
	}
	if (st == TM_ST_SKIP && asked) {
		uint64_t span = a[n - 1].end - a[0].end, rough;

		qsort(cost, asked, sizeof *cost, by_value);
		rough = how->one_side ? span / n / 16 : cost[asked / 2] * 4;
		nv = elect(v, nv, asked, (int64_t)(span / 2048 + rough + 100));
		for (size_t i = 0; i < nv; i++)
			p[i] = (struct tm_fit_pair) { v[i].x, v[i].x, v[i].x + (uint64_t)v[i].d,
				                      v[i].x + (uint64_t)v[i].d };
		if (nv >= TM_FIT_FEWEST)
			st = tm_line_fit(f, p, nv, RATE_MOST, 0) ? TM_ST_OK : TM_ST_FATAL;
	}
	free(v);
	free(cost);
	free(p);
	return st;
}

/* ---- all of it ---- */

static bool is_loose(const struct tm_line_fit *f)
{
	return f->spread_ns > LOOSE_NS && f->spread_ns * 2 > f->start_spread_ns;
}

/* Are there more pairs than any two lists have whose ends lie anywhere, by five deviations? */
static bool is_no_chance(const struct tm_pairs *p, const struct tm_end_op *a, size_t n,
                         const struct tm_end_op *b, size_t m, uint64_t within, size_t fewest)
{
	uint64_t span_a = a[n - 1].end - a[0].end, span_b = b[m - 1].end - b[0].end;
	uint64_t span = span_a < span_b ? span_b : span_a;
	tm_u128 chance = (tm_u128)n * m * within * 2 / (span ? span : 1), more;

	if (p->n < fewest || p->n < chance + fewest / 2)
		return false;
	more = p->n - chance - fewest / 2;
	return more * more > 25 * chance;
}

/* Pairs by time by the line of *f, and the line by these, until they settle.  What has wandered off
 * is left out once a line is known. */
static enum tm_status refine(struct tm_end_match *r, struct tm_pairs *p, const struct tm_end_op *a,
                             size_t n, const struct tm_end_op *b, size_t m, struct tm_line_fit f,
                             struct tm_end_rule rule)
{
	for (int i = 0; i < 4; i++) {
		uint64_t within = f.outlier_ns + f.spread_ns * 2 + 200;

		pair_by_time(p, a, n, b, m, &f.line, within);
		if (p->n < rule.fewest ||
		    (i == 3 && !is_no_chance(p, a, n, b, m, within, rule.fewest)))
			return TM_ST_SKIP;
		if (!tm_line_fit(&f, p->v, p->n, RATE_MOST, i < 3 ? 0 : rule.clocks))
			return TM_ST_FATAL;
	}
	r->fit = f;
	r->matched = p->n;
	return TM_ST_OK;
}

static void look_together(struct tm_end_match *r, const struct tm_pairs *p)
{
	r->looked = p->n;
	for (size_t i = 0; i < p->n; i++) {
		const struct tm_fit_pair *v = &p->v[i];
		uint64_t start = tm_clock_line_at(&r->fit.line, v->a_start);
		uint64_t end = tm_clock_line_at(&r->fit.line, v->a_end);

		r->together += (int64_t)(v->b_end - start) >= 0 && (int64_t)(end - v->b_start) >= 0;
	}
}

/* By number or by place; TM_ST_SKIP where neither is possible. */
static enum tm_status plain(struct tm_end_match *r, struct tm_pairs *p, const struct tm_end_op *a,
                            size_t n, const struct tm_end_op *b, size_t m, size_t clocks)
{
	bool sure = numbered(a, n) && numbered(b, m);

	if (sure)
		pair_by_number(p, a, n, b, m);
	else if (n == m)
		pair_by_place(p, a, n, b);
	if (p->n < TM_FIT_FEWEST)
		return TM_ST_SKIP;
	if (!tm_line_fit(&r->fit, p->v, p->n, RATE_MOST, clocks))
		return TM_ST_FATAL;
	r->matched = p->n;
	return TM_ST_OK;
}

/* Does the line leave out more than one pair in fifty? */
static bool has_strays(const struct tm_line_fit *f)
{
	return f->used * 50 < f->pairs * 49;
}

/* TM_ST_SKIP when another offset, by as many places as ends may be mistaken for one another, brings
 * nearly as many together: ends that come evenly are alike everywhere. */
static enum tm_status only_one(const struct tm_end_match *r, const struct tm_end_op *a, size_t n,
                               const struct tm_end_op *b, size_t m)
{
	uint64_t within = r->fit.outlier_ns + r->fit.spread_ns * 2 + 200;
	struct tm_pairs room = { .v = tm_array(n + 1, sizeof *room.v) };
	enum tm_status st = room.v ? TM_ST_OK : TM_ST_FATAL;

	for (size_t k = 0; k < ANCHORS && st == TM_ST_OK; k++) {
		const struct tm_end_op *anchor = &a[k * (n - 1) / (ANCHORS - 1)];
		uint64_t there = tm_clock_line_at(&r->fit.line, anchor->end);
		size_t at = 0, from = nearest(b, m, there, &at);

		for (size_t j = from > PLACES ? from - PLACES : 0;
		     j < m && j <= from + PLACES && st == TM_ST_OK; j++) {
			struct tm_clock_line other = r->fit.line;

			if (distance(b[j].end, there) <= within * 2)
				continue;
			other.offset_ns += b[j].end - there;
			pair_by_time(&room, a, n, b, m, &other, within);
			if (room.n * 3 >= r->matched * 2)
				st = TM_ST_SKIP;
		}
	}
	free(room.v);
	return st;
}

/* What the ends tell, whatever the places: looked for from both sides, then from one. */
static enum tm_status by_ends(struct tm_end_match *r, struct tm_pairs *p, const struct tm_end_op *a,
                              size_t n, const struct tm_end_op *b, size_t m,
                              struct tm_end_rule rule)
{
	static const struct look looks[] = { { false, 3 }, { true, BEST } };
	enum tm_status st = TM_ST_SKIP;

	for (size_t i = 0; i < 2 && st == TM_ST_SKIP; i++) {
		struct tm_line_fit first;

		st = first_line(a, n, b, m, &looks[i], &first);
		if (st == TM_ST_OK)
			st = refine(r, p, a, n, b, m, first, rule);
		if (st == TM_ST_OK && is_loose(&r->fit))
			st = TM_ST_SKIP;
	}
	return st == TM_ST_OK ? only_one(r, a, n, b, m) : st;
}

/* Does the line leave out one pair in ten? */
static bool has_many_strays(const struct tm_line_fit *f)
{
	return f->used * 10 < f->pairs * 9;
}

/* What places do not tell, ends do.  Of both what is closer counts; *p are its pairs. */
static enum tm_status better(struct tm_end_match *r, struct tm_pairs *p, const struct tm_end_op *a,
                             size_t n, const struct tm_end_op *b, size_t m, bool known,
                             size_t clocks)
{
	const struct tm_end_rule rule = { TM_END_FEWEST, clocks };
	struct tm_end_match other = { 0 };
	bool close = known && !is_loose(&r->fit);
	enum tm_status st = close ? refine(&other, p, a, n, b, m, r->fit, rule)
	                          : by_ends(&other, p, a, n, b, m, rule);

	/* Both may lack some, and as many. */
	if (close && st == TM_ST_OK && has_many_strays(&r->fit)) {
		st = only_one(&other, a, n, b, m);
		if (st != TM_ST_OK)
			return st;
	}
	if (st == TM_ST_OK && (!known || other.fit.spread_ns <= r->fit.spread_ns)) {
		/* One that somebody leaves late is still one that both have. */
		if (close)
			other.matched = r->matched;
		*r = other;
		return TM_ST_OK;
	}
	if (st == TM_ST_FATAL || !known)
		return st;
	p->n = 0;
	return plain(r, p, a, n, b, m, clocks);
}

static bool keep(struct tm_end_pairs *out, const struct tm_pairs *p)
{
	if (!tm_grow_array(&out->v, &out->cap, out->n + p->n, sizeof *out->v))
		return false;
	memcpy(out->v + out->n, p->v, p->n * sizeof *p->v);
	out->n += p->n;
	return true;
}

enum tm_status tm_end_match(struct tm_end_match *r, const struct tm_end_op *a, size_t n,
                            const struct tm_end_op *b, size_t m, struct tm_end_rule rule,
                            struct tm_end_pairs *pairs)
{
	size_t most = n < m ? n : m;
	struct tm_pairs p = { .v = tm_array(n + 1, sizeof *p.v) };
	enum tm_status st;

	*r = (struct tm_end_match) { .loose = true };
	if (!p.v)
		return TM_ST_FATAL;
	st = TM_ST_SKIP;
	if (most >= rule.fewest)
		st = plain(r, &p, a, n, b, m, rule.clocks);
	if (most >= TM_END_FEWEST &&
	    (st == TM_ST_SKIP || (st == TM_ST_OK && (is_loose(&r->fit) || has_strays(&r->fit)))))
		st = better(r, &p, a, n, b, m, st == TM_ST_OK, rule.clocks);
	if (st == TM_ST_OK && p.n < rule.fewest)
		st = TM_ST_SKIP;
	if (st == TM_ST_OK) {
		look_together(r, &p);
		r->loose = is_loose(&r->fit);
		st = keep(pairs, &p) ? TM_ST_OK : TM_ST_FATAL;
	}
	free(p.v);
	return st;
}

enum tm_status tm_end_match_along(struct tm_end_match *r, const struct tm_end_op *a, size_t n,
                                  const struct tm_end_op *b, size_t m, struct tm_end_rule rule,
                                  const struct tm_line_fit *first, struct tm_end_pairs *pairs)
{
	struct tm_pairs p = { .v = tm_array(n + 1, sizeof *p.v) };
	enum tm_status st;

	*r = (struct tm_end_match) { .loose = true };
	if (!p.v)
		return TM_ST_FATAL;
	st = n && m ? refine(r, &p, a, n, b, m, *first, rule) : TM_ST_SKIP;
	if (st == TM_ST_OK)
		st = only_one(r, a, n, b, m);
	if (st == TM_ST_OK) {
		look_together(r, &p);
		r->loose = is_loose(&r->fit);
		st = keep(pairs, &p) ? TM_ST_OK : TM_ST_FATAL;
	}
	free(p.v);
	return st;
}

static int by_end(const void *pa, const void *pb)
{
	const struct tm_fit_pair *a = pa, *b = pb;

	if (a->a_end != b->a_end)
		return a->a_end < b->a_end ? -1 : 1;
	return (a->b_end > b->b_end) - (a->b_end < b->b_end);
}

enum tm_status tm_end_match_all(struct tm_end_match *r, size_t clocks, struct tm_end_pairs *pairs)
{
	const struct tm_pairs p = { pairs->v, pairs->n };

	*r = (struct tm_end_match) { .loose = true, .matched = p.n };
	if (p.n < TM_FIT_FEWEST)
		return TM_ST_SKIP;
	qsort(p.v, p.n, sizeof *p.v, by_end);
	if (!tm_line_fit(&r->fit, p.v, p.n, RATE_MOST, clocks))
		return TM_ST_FATAL;
	look_together(r, &p);
	r->loose = is_loose(&r->fit);
	return TM_ST_OK;
}
