/* SPDX-License-Identifier: MIT
 * Jobs of several groups, of which nothing tells whose collectives are whose: which pairs of ranks
 * else have ends in common?
 *
 * Ranks that share most of their collectives, a tensor group, match as a whole, whoever the lowest
 * is.  What two such groups share is a few among many: of a rank's collectives those that none of
 * its companions ends together with it (a data group), or that all do (everybody).  These of two
 * ranks are alike if they are of one group.  That makes a line, which must then bring more of all
 * together than chance would. */
#include "base/base.h"
#include "merge/align_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	COMPANIONS = 8,  /* of a rank that are asked what they have in common with it */
	PART_FEWEST = 3, /* collectives of two ranks that a first line takes, */
	ALL_FEWEST = 6   /* and that the line must bring together */
};

#define MOST_WORK (UINT64_C(1) << 24) /* collectives that are looked at, */
#define LOADING   64 /* of which loading those of a rank costs as much as so many */

/* The collectives of a speaker, and how many of its companions end each together with it. */
struct told {
	struct tm_end_op *v;
	size_t *by;
	size_t n, asked;
};

/* Those of a speaker that are compared: no companion has them, or all do. */
enum part { NOBODY, EVERYBODY };

struct more {
	struct align_set *s;
	size_t *up;   /* by node: those that are surely connected */
	size_t apart; /* trees of them */
	uint64_t work;
	struct told *told;          /* by speaker */
	struct track first, second; /* of the speakers that were loaded last, */
	size_t is_first, is_second; /* which are these */
};

static void unite(struct more *m, const struct align_edge *e)
{
	size_t a = tm_align_root(m->up, e->a), b = tm_align_root(m->up, e->b);

	if (a == b || e->loose)
		return;
	m->up[a] = b;
	m->apart--;
}

static bool are_one(struct more *m, size_t i, size_t j)
{
	return tm_align_root(m->up, tm_align_node_of(m->s, i)) ==
	       tm_align_root(m->up, tm_align_node_of(m->s, j));
}

static enum tm_status load(struct more *m, struct track *t, size_t *is, size_t speaker,
                           struct tm_diag *d)
{
	const struct tm_align_input *in = &m->s->f->v[m->s->speaker[speaker]];
	enum tm_status st;

	m->work += in->collectives;
	if (*is == speaker)
		return TM_ST_OK;
	m->work += LOADING;
	tm_track_fini(t);
	*is = SIZE_MAX;
	st = tm_track_load(m->s, in, t, d);
	if (st == TM_ST_OK)
		*is = speaker;
	return st;
}

static enum tm_status load_both(struct more *m, size_t i, size_t j, struct tm_diag *d)
{
	enum tm_status st = load(m, &m->first, &m->is_first, i, d);

	return st == TM_ST_OK ? load(m, &m->second, &m->is_second, j, d) : st;
}

static enum tm_status add(struct more *m, struct align_edge *e)
{
	enum tm_status st = tm_align_add_edge(m->s, e);

	if (st == TM_ST_OK)
		unite(m, e);
	return st;
}

/* ---- as a whole ---- */

static enum tm_status try_whole(struct more *m, size_t i, size_t j, struct tm_diag *d)
{
	struct align_edge best = { 0 };
	enum tm_status st = load_both(m, i, j, d);

	if (st != TM_ST_OK)
		return st;
	st = tm_align_by_order(m->s, i, &m->first, j, &m->second, &best);
	if (st == TM_ST_OK && best.matched && !best.loose)
		st = add(m, &best);
	if (st != TM_ST_OK)
		tm_diag_oom(d);
	return st;
}

/* ---- in part ---- */

static void told_fini(struct told *t)
{
	free(t->v);
	free(t->by);
	*t = (struct told) { 0 };
}

/* One companion has what pairs have, by the ends of a or of b. */
static void count(struct told *t, const struct tm_end_pairs *p, bool of_b)
{
	t->asked++;
	for (size_t i = 0, k = 0; i < t->n; i++) {
		uint64_t end = t->v[i].end;

		while (k < p->n && (of_b ? p->v[k].b_end : p->v[k].a_end) < end)
			k++;
		t->by[i] += k < p->n && (of_b ? p->v[k].b_end : p->v[k].a_end) == end;
	}
}

/* A sure edge between two nodes, or NULL. */
static const struct align_edge *edge_between(const struct align_set *s, size_t a, size_t b)
{
	for (size_t i = 0; i < s->nedges; i++) {
		const struct align_edge *e = &s->edge[i];

		if (!e->loose && ((e->a == a && e->b == b) || (e->a == b && e->b == a)))
			return e;
	}
	return NULL;
}

/* What speakers i and j end together: along the line between their clocks where they are known to
 * share too few to be matched as a whole. */
static enum tm_status count_common(struct more *m, size_t i, size_t j, struct tm_diag *d)
{
	size_t node = tm_align_node_of(m->s, i);
	const struct align_edge *e = edge_between(m->s, node, tm_align_node_of(m->s, j));
	const struct run_of *a, *b;
	struct tm_end_pairs pairs = { 0 };
	struct tm_end_match match;
	bool back = e && e->b == node;
	enum tm_status st = load_both(m, i, j, d);

	if (st != TM_ST_OK)
		return st;
	a = tm_run_find(&m->first, KEY_ALL);
	b = tm_run_find(&m->second, KEY_ALL);
	if (!a || !b)
		return TM_ST_OK;
	if (!e)
		st = tm_end_match(&match, m->first.op + a->from, a->n, m->second.op + b->from, b->n,
		                  tm_align_rule(m->s, TM_END_FEWEST), &pairs);
	else if (back)
		st = tm_end_match_along(&match, m->second.op + b->from, b->n, m->first.op + a->from,
		                        a->n, tm_align_rule(m->s, ALL_FEWEST), &e->fit, &pairs);
	else
		st = tm_end_match_along(&match, m->first.op + a->from, a->n, m->second.op + b->from,
		                        b->n, tm_align_rule(m->s, ALL_FEWEST), &e->fit, &pairs);
	if (st == TM_ST_OK && !match.loose)
		count(&m->told[i], &pairs, back);
	free(pairs.v);
	if (st == TM_ST_FATAL)
		tm_diag_oom(d);
	return st == TM_ST_SKIP ? TM_ST_OK : st;
}

static enum tm_status ask_companions(struct more *m, size_t i, struct tm_diag *d)
{
	const struct run_of *all;
	struct told *t = &m->told[i];
	enum tm_status st = load(m, &m->first, &m->is_first, i, d);
	size_t asked = 0;

	if (st != TM_ST_OK)
		return st;
	all = tm_run_find(&m->first, KEY_ALL);
	if (!all || all->n < TM_END_FEWEST)
		return TM_ST_OK;
	told_fini(t);
	t->v = malloc(all->n * sizeof *t->v);
	t->by = calloc(all->n, sizeof *t->by);
	if (!t->v || !t->by) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	memcpy(t->v, m->first.op + all->from, all->n * sizeof *t->v);
	t->n = all->n;
	/* The nearest first: groups are of neighbors. */
	for (size_t far = 1; far < m->s->nspeakers && asked < COMPANIONS; far++)
		for (int side = 0; side < 2 && st == TM_ST_OK; side++) {
			size_t j = side ? i - far : i + far;

			if (j >= m->s->nspeakers || !are_one(m, i, j) || m->work > MOST_WORK)
				continue;
			st = count_common(m, i, j, d);
			asked++;
		}
	return st;
}

/* Room for all of t is in v. */
static size_t take_part(const struct told *t, enum part part, struct tm_end_op *v)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->by[i] == (part == NOBODY ? 0 : t->asked))
			v[n++] = t->v[i];
	return n;
}

/* A first line from parts of two speakers.  TM_ST_SKIP = they do not match. */
static enum tm_status first_line(const struct told *x, const struct told *y, enum part part,
                                 struct tm_line_fit *f)
{
	const struct tm_end_rule only_looked_along = { PART_FEWEST, 0 };
	struct tm_end_op *a = malloc((x->n + 1) * sizeof *a), *b = malloc((y->n + 1) * sizeof *b);
	struct tm_end_pairs pairs = { 0 };
	struct tm_end_match match;
	enum tm_status st = TM_ST_FATAL;

	if (a && b) {
		size_t n = take_part(x, part, a), k = take_part(y, part, b);

		st = tm_end_match(&match, a, n, b, k, only_looked_along, &pairs);
	}
	if (st == TM_ST_OK && match.loose)
		st = TM_ST_SKIP;
	if (st == TM_ST_OK)
		*f = match.fit;
	free(pairs.v);
	free(a);
	free(b);
	return st;
}

/* An edge from such a line and all collectives of both. */
static enum tm_status along(struct more *m, size_t i, size_t j, const struct tm_line_fit *f)
{
	const struct told *x = &m->told[i], *y = &m->told[j];
	struct tm_end_pairs pairs = { 0 };
	struct tm_end_match match;
	struct align_edge e;
	enum tm_status st;

	st = tm_end_match_along(&match, x->v, x->n, y->v, y->n, tm_align_rule(m->s, ALL_FEWEST), f,
	                        &pairs);
	free(pairs.v);
	if (st != TM_ST_OK)
		return st;
	if (match.loose || match.together * 10 < match.looked * 9)
		return TM_ST_SKIP;
	e = (struct align_edge) { .a = tm_align_node_of(m->s, i),
		                  .b = tm_align_node_of(m->s, j),
		                  .fit = match.fit,
		                  .matched = match.matched,
		                  .by_order = true };
	return add(m, &e);
}

static enum tm_status try_part(struct more *m, size_t i, size_t j, enum part part,
                               struct tm_diag *d)
{
	struct tm_line_fit f;
	enum tm_status st;

	m->work += m->told[i].n + m->told[j].n;
	st = first_line(&m->told[i], &m->told[j], part, &f);
	if (st == TM_ST_OK)
		st = along(m, i, j, &f);
	if (st == TM_ST_FATAL)
		tm_diag_oom(d);
	return st == TM_ST_SKIP ? TM_ST_OK : st;
}

static enum tm_status try_own(struct more *m, size_t i, size_t j, struct tm_diag *d)
{
	return try_part(m, i, j, NOBODY, d);
}

static enum tm_status try_shared(struct more *m, size_t i, size_t j, struct tm_diag *d)
{
	return try_part(m, i, j, EVERYBODY, d);
}

/* ---- both ---- */

/* Pairs that are not connected, neighbors first, as long as there are some. */
static enum tm_status pairs(struct more *m,
                            enum tm_status (*try)(struct more *m, size_t i, size_t j,
                                                  struct tm_diag *d),
                            struct tm_diag *d)
{
	enum tm_status st = TM_ST_OK;

	for (size_t far = 1; far < m->s->nspeakers && st == TM_ST_OK; far++)
		for (size_t i = 0; i + far < m->s->nspeakers && st == TM_ST_OK; i++) {
			if (m->apart < 2 || m->work > MOST_WORK)
				return TM_ST_OK;
			if (!are_one(m, i, i + far))
				st = try(m, i, i + far, d);
		}
	return st;
}

static enum tm_status find(struct more *m, struct tm_diag *d)
{
	static enum tm_status (*const tries[])(struct more * m, size_t i, size_t j,
	                                       struct tm_diag * d) = { try_own, try_shared };
	enum tm_status st = pairs(m, try_whole, d);

	/* What was found tells of more companions. */
	for (size_t k = 0; k < 2 && st == TM_ST_OK && m->apart > 1; k++) {
		for (size_t i = 0; i < m->s->nspeakers && st == TM_ST_OK; i++)
			st = ask_companions(m, i, d);
		if (st == TM_ST_OK)
			st = pairs(m, tries[k], d);
	}
	return st;
}

enum tm_status tm_align_more(struct align_set *s, struct tm_diag *d)
{
	struct more m = { .s = s,
		          .up = malloc((s->nnodes + 1) * sizeof *m.up),
		          .told = calloc(s->nspeakers + 1, sizeof *m.told),
		          .apart = s->nnodes,
		          .is_first = SIZE_MAX,
		          .is_second = SIZE_MAX };
	enum tm_status st = TM_ST_FATAL;

	if (m.up && m.told) {
		for (size_t i = 0; i < s->nnodes; i++)
			m.up[i] = i;
		for (size_t i = 0; i < s->nedges; i++)
			unite(&m, &s->edge[i]);
		st = find(&m, d);
	} else {
		tm_diag_oom(d);
	}
	for (size_t i = 0; m.told && i < s->nspeakers; i++)
		told_fini(&m.told[i]);
	tm_track_fini(&m.first);
	tm_track_fini(&m.second);
	free(m.told);
	free(m.up);
	return st;
}
