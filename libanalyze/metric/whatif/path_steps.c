/* SPDX-License-Identifier: MIT
 * The critical path step by step.  The steps of a rank cut the one path there is, so that what
 * is in a step adds up to its length, and all steps of a rank with what is outside of them to the
 * path. */
#include "metric/whatif/path.h"

#include <stdlib.h>

enum {
	COL_RANK,
	COL_STEP,
	COL_SPAN,
	COL_MEDIAN,
	COL_ON,
	COL_RESOURCE,
	COL_KIND,
	COL_PIECES,
	COL_TOTAL,
	COL_PCT,
	COL_N,
};

const struct tm_column tm_path_step_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the step",
	               .unit = TM_UNIT_ID },
	[COL_STEP] = { .name = "step",
	               .title = "STEP",
	               .about = "step number; absent: outside all steps of the rank",
	               .unit = TM_UNIT_ID },
	[COL_SPAN] = { .name = "span_ns",
	               .title = "SPAN",
	               .about = "length of the step inside the window: the sum of its rows",
	               .unit = TM_UNIT_NS },
	[COL_MEDIAN] = { .name = "median",
	                 .title = "MEDIAN",
	                 .tight = 1,
	                 .about = "yes if it has the median step length of its rank",
	                 .unit = TM_UNIT_TEXT },
	[COL_ON] = { .name = "on_rank",
	             .title = "ON RANK",
	             .about = "rank that the path is on",
	             .unit = TM_UNIT_ID },
	[COL_RESOURCE] = { .name = "resource",
	                   .title = "RESOURCE",
	                   .about = "agent with its stream or queue, or process and thread",
	                   .unit = TM_UNIT_TEXT,
	                   .elastic = true },
	[COL_KIND] = { .name = "kind",
	               .title = "KIND",
	               .about = "kind of piece",
	               .unit = TM_UNIT_TEXT },
	[COL_PIECES] = { .name = "pieces",
	                 .title = "PIECES",
	                 .tight = 2,
	                 .about = "number of pieces; one that spans two steps counts in both",
	                 .unit = TM_UNIT_COUNT },
	[COL_TOTAL] = { .name = "total_ns",
	                .title = "TOTAL",
	                .about = "total length inside the step",
	                .unit = TM_UNIT_NS },
	[COL_PCT] = { .name = "pct",
	              .title = "PCT",
	              .about = "share of the step",
	              .unit = TM_UNIT_PCT,
	              .bar = true },
	[COL_N] = { 0 },
};

/* What is in one step of a rank, or outside all of them, on one resource and of one kind. */
struct sum {
	size_t step, piece; /* step SIZE_MAX: outside; one of its pieces */
	uint64_t pieces, ns;
};

/* The path as the steps [from, to) of a rank cut it. */
struct cut {
	const struct path_told *p;
	const struct tm_steps *s;
	size_t from, to, median;
	struct tm_groups keys; /* step, rank, resource, kind */
	struct sum *v;
	size_t cap, at; /* at: the first piece that does not end before what comes */
	uint64_t outside;
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The part of a step that is in the window. */
static struct tm_extent inside(const struct cut *c, size_t step)
{
	const struct tm_replay *r = c->p->r;
	struct tm_extent at = c->s->v[step].at;

	at.lo = sooner(later(at.lo, r->lo), r->hi);
	at.hi = later(sooner(at.hi, r->hi), at.lo);
	return at;
}

static uint64_t span_of(const struct cut *c, size_t step)
{
	struct tm_extent at = step == SIZE_MAX ? (struct tm_extent) { 0, c->outside }
	                                       : inside(c, step);

	return at.hi - at.lo;
}

static bool add(struct cut *c, size_t step, size_t piece, uint64_t ns)
{
	const struct tm_replay_piece *q = &c->p->path.v[piece];
	uint64_t key[] = { step, q->rank, c->p->resource[piece], q->kind };
	bool fresh;
	uint32_t i = tm_groups_item(&c->keys, key, &c->v, &c->cap, sizeof *c->v, &fresh);

	if (i == TM_GROUP_NONE)
		return false;
	if (fresh)
		c->v[i] = (struct sum) { .step = step, .piece = piece };
	c->v[i].pieces++;
	c->v[i].ns += ns;
	return true;
}

/* The path from lo to hi is in a step; what comes next begins at hi.  A piece without length is in
 * what begins with it, and at the end of the window in what ends there. */
static bool take(struct cut *c, size_t step, uint64_t lo, uint64_t hi)
{
	const struct tm_replay_path *path = &c->p->path;
	bool last = hi == c->p->r->hi;

	if (lo >= hi)
		return true;
	if (step == SIZE_MAX)
		c->outside += hi - lo;
	for (; c->at < path->n; c->at++) {
		const struct tm_replay_piece *q = &path->v[c->at];
		uint64_t from = later(q->start, lo), to = sooner(q->end, hi);

		if (q->start > hi || (q->start == hi && !last))
			return true;
		if ((from < to || q->start == q->end) && !add(c, step, c->at, to - from))
			return false;
		if (q->end > hi)
			return true;
	}
	return true;
}

static int by_span(const void *pa, const void *pb, void *arg)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	uint64_t x = span_of(arg, a), y = span_of(arg, b);

	return x != y ? (x > y ? 1 : -1) : (a > b) - (a < b);
}

/* The step of median length, of equals the first. */
static bool find_median(struct cut *c)
{
	size_t n = c->to - c->from, *v = malloc((n + 1) * sizeof *v);

	for (size_t i = 0; v && i < n; i++)
		v[i] = c->from + i;
	if (v && n)
		qsort_r(v, n, sizeof *v, by_span, c);
	c->median = v && n ? v[(n - 1) / 2] : SIZE_MAX;
	free(v);
	return v != NULL;
}

static int by_total(const void *pa, const void *pb, void *arg)
{
	const struct sum *a = pa, *b = pb;
	const struct path_told *p = arg;
	const struct tm_replay_piece *x = &p->path.v[a->piece], *y = &p->path.v[b->piece];
	int d = (a->step > b->step) - (a->step < b->step);

	d = d ? d : (a->ns < b->ns) - (a->ns > b->ns);
	d = d ? d : (x->rank > y->rank) - (x->rank < y->rank);
	d = d ? d : tm_path_by_text(p, p->resource[a->piece], p->resource[b->piece]);
	return d ? d : (x->kind > y->kind) - (x->kind < y->kind);
}

static bool put(const struct cut *c, const struct sum *s, struct tm_table *t)
{
	const struct tm_replay_piece *q = &c->p->path.v[s->piece];
	struct tm_cell *cell = tm_table_row(t);

	if (!cell)
		return false;
	cell[COL_RANK] = tm_cell_u64(c->s->v[c->from].rank);
	if (s->step != SIZE_MAX) {
		cell[COL_STEP] = tm_cell_u64(c->s->v[s->step].number);
		cell[COL_MEDIAN] = s->step == c->median ? tm_cell_text("yes", 3)
		                                        : tm_cell_text("no", 2);
	}
	cell[COL_SPAN] = tm_cell_u64(span_of(c, s->step));
	cell[COL_ON] = tm_cell_u64(tm_replay_rank_of(c->p->r, q->rank));
	cell[COL_RESOURCE] = tm_path_text_cell(t, c->p, c->p->resource[s->piece]);
	cell[COL_KIND] = tm_path_kind_cell(q->kind);
	cell[COL_PIECES] = tm_cell_u64(s->pieces);
	cell[COL_TOTAL] = tm_cell_u64(s->ns);
	cell[COL_PCT] = tm_work_pct(s->ns, span_of(c, s->step));
	return true;
}

static bool put_rank(struct cut *c, struct tm_table *t)
{
	uint64_t at = c->p->r->lo;
	bool ok = find_median(c);

	c->keys.words = 4;
	for (size_t i = c->from; ok && i < c->to; i++) {
		struct tm_extent step = inside(c, i);

		ok = take(c, SIZE_MAX, at, step.lo) && take(c, i, step.lo, step.hi);
		at = later(at, step.hi);
	}
	ok = ok && take(c, SIZE_MAX, at, c->p->r->hi);
	if (ok && c->keys.n)
		qsort_r(c->v, c->keys.n, sizeof *c->v, by_total, (void *)(uintptr_t)c->p);
	for (uint32_t i = 0; ok && i < c->keys.n; i++)
		ok = put(c, &c->v[i], t);
	free(c->v);
	tm_groups_fini(&c->keys);
	return ok;
}

bool tm_path_put_steps(const struct path_told *p, const struct tm_steps *s, struct tm_table *t)
{
	bool ok = true;

	for (size_t i = 0, end; ok && i < s->n; i = end) {
		struct cut c = { .p = p, .s = s, .from = i };

		for (end = i + 1; end < s->n && s->v[end].rank == s->v[i].rank;)
			end++;
		c.to = end;
		ok = put_rank(&c, t);
	}
	return ok;
}
