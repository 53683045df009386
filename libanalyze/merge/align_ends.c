/* SPDX-License-Identifier: MIT
 * From what pairs of clocks say to one common clock: the surest pairs that connect all of them. */
#include "merge/align_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b < a || (a + b) >> 62 ? UINT64_MAX >> 2 : a + b;
}

/* The error of an edge at a time of clock a. */
static uint64_t edge_error(const struct align_edge *e, uint64_t t)
{
	return sum(tm_line_fit_error(&e->fit, t), e->more_ns);
}

static uint64_t worst_of(const struct align_edge *e)
{
	uint64_t a = edge_error(e, e->fit.first_ns), b = edge_error(e, e->fit.last_ns);

	return a > b ? a : b;
}

/* The surest first. */
static int by_trust(const void *pa, const void *pb)
{
	const struct align_edge *a = pa, *b = pb;
	uint64_t x = worst_of(a), y = worst_of(b);

	if (a->loose != b->loose)
		return a->loose - b->loose;
	if (a->by_order != b->by_order)
		return a->by_order - b->by_order;
	if (x != y)
		return x < y ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

size_t tm_align_root(size_t *up, size_t i)
{
	while (up[i] != i) {
		up[i] = up[up[i]];
		i = up[i];
	}
	return i;
}

/* Leave the edges that are needed to connect what can be connected. */
static bool keep_tree(struct align_set *s)
{
	size_t *up = malloc((s->nnodes + 1) * sizeof *up), n = 0;

	if (!up)
		return false;
	for (size_t i = 0; i < s->nnodes; i++)
		up[i] = i;
	if (s->nedges)
		qsort(s->edge, s->nedges, sizeof *s->edge, by_trust);
	for (size_t i = 0; i < s->nedges; i++) {
		size_t a = tm_align_root(up, s->edge[i].a), b = tm_align_root(up, s->edge[i].b);

		if (a == b)
			continue;
		up[a] = b;
		s->edge[n++] = s->edge[i];
	}
	s->nedges = n;
	free(up);
	return true;
}

/* Edges by node: first[i] .. first[i + 1] of `at` are those of node i. */
struct ways {
	size_t *first, *at, *queue;
};

static void ways_fini(struct ways *w)
{
	free(w->first);
	free(w->at);
	free(w->queue);
}

static bool ways_init(struct ways *w, const struct align_set *s)
{
	w->first = calloc(s->nnodes + 2, sizeof *w->first);
	w->at = calloc(2 * s->nedges + 1, sizeof *w->at);
	w->queue = calloc(s->nnodes + 1, sizeof *w->queue);
	if (!w->first || !w->at || !w->queue)
		return false;
	/* Two places further on: filling `at` moves each by one. */
	for (size_t i = 0; i < s->nedges; i++) {
		w->first[s->edge[i].a + 2]++;
		w->first[s->edge[i].b + 2]++;
	}
	for (size_t i = 0; i < s->nnodes; i++)
		w->first[i + 2] += w->first[i + 1];
	for (size_t i = 0; i < s->nedges; i++) {
		w->at[w->first[s->edge[i].a + 1]++] = i;
		w->at[w->first[s->edge[i].b + 1]++] = i;
	}
	return true;
}

/* Every node's way to node `root`, and its line there. */
static void go_from(struct align_set *s, const struct ways *w, size_t root)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nnodes; i++)
		s->nodes[i].reached = false;
	s->nodes[root].line = (struct tm_clock_line) { 0 };
	s->nodes[root].edge = s->nodes[root].parent = SIZE_MAX;
	s->nodes[root].reached = true;
	w->queue[n++] = root;
	for (size_t i = 0; i < n; i++) {
		size_t at = w->queue[i];

		for (size_t k = w->first[at]; k < w->first[at + 1]; k++) {
			const struct align_edge *e = &s->edge[w->at[k]];
			size_t other = e->a == at ? e->b : e->a;
			struct align_node *o = &s->nodes[other];
			struct tm_clock_line here;

			if (o->reached)
				continue;
			here = e->a == other ? e->fit.line : tm_clock_line_back(&e->fit.line);
			o->line = tm_clock_line_then(&here, &s->nodes[at].line);
			o->edge = w->at[k];
			o->parent = at;
			o->reached = true;
			w->queue[n++] = other;
		}
	}
}

/* The clock that is furthest ahead: to which the lines from it add least. */
static size_t furthest(const struct align_set *s, size_t root)
{
	size_t best = root;

	for (size_t i = 0; i < s->nnodes; i++)
		if ((int64_t)s->nodes[i].line.offset_ns < (int64_t)s->nodes[best].line.offset_ns)
			best = i;
	return best;
}

/* A clock that nothing connects with the others: why. */
static void explain(const struct align_set *s, const struct tm_diag *why, struct tm_diag *d)
{
	for (size_t i = 0; i < s->nspeakers; i++) {
		const struct tm_align_input *in = &s->f->v[s->speaker[i]];

		if (in->collectives >= TM_ALIGN_FEWEST)
			continue;
		/* Another input of the rank may have them, on another clock. */
		for (size_t k = 0; k < s->nspeakers; k++)
			if (k != i && s->f->v[s->speaker[k]].id.rank == in->id.rank) {
				tm_diag_set(d, 0,
				            "rank %" PRIu64
				            " has inputs on different clocks, %.100s and %.100s",
				            in->id.rank, s->f->v[s->speaker[k < i ? k : i]].id.path,
				            s->f->v[s->speaker[k < i ? i : k]].id.path);
				return;
			}
		tm_diag_set(d, 0,
		            "rank %" PRIu64 " has %" PRIu64
		            " collective%s that ranks end together; alignment needs at least %d",
		            in->id.rank, in->collectives, in->collectives == 1 ? "" : "s",
		            TM_ALIGN_FEWEST);
		return;
	}
	if (*why->text) {
		*d = *why;
		return;
	}
	for (size_t i = 0; i < s->nnodes; i++)
		if (!s->nodes[i].reached)
			tm_diag_set(d, 0, "no collectives connect rank %" PRIu64 " with the others",
			            s->nodes[i].any->id.rank);
}

enum tm_status tm_align_by_ends(struct align_set *s, struct tm_diag *d)
{
	size_t root = s->nspeakers ? s->node[s->speaker[0]] : 0;
	struct tm_diag why = { 0 };
	struct ways w = { 0 };
	enum tm_status st = tm_align_match(s, &why, d);

	if (st != TM_ST_OK)
		return st;
	if (keep_tree(s) && ways_init(&w, s)) {
		go_from(s, &w, root);
		for (size_t i = 0; i < s->nnodes && st == TM_ST_OK; i++)
			st = s->nodes[i].reached ? TM_ST_OK : TM_ST_SKIP;
		if (st == TM_ST_OK)
			go_from(s, &w, furthest(s, root));
		else
			explain(s, &why, d);
	} else {
		tm_diag_oom(d);
		st = TM_ST_FATAL;
	}
	ways_fini(&w);
	return st;
}

uint64_t tm_align_error(const struct align_set *s, size_t node, uint64_t t)
{
	uint64_t error = 0;

	while (s->nodes[node].edge != SIZE_MAX) {
		const struct align_edge *e = &s->edge[s->nodes[node].edge];
		struct tm_clock_line back = tm_clock_line_back(&e->fit.line);
		bool forth = e->a == node;
		uint64_t there = tm_clock_line_at(forth ? &e->fit.line : &back, t);

		error = sum(error, edge_error(e, forth ? t : there));
		t = there;
		node = s->nodes[node].parent;
	}
	return error;
}
