/* SPDX-License-Identifier: MIT
 * Instants in recorded order, the edges to each of them, and which of these bind. */
#include "replay/order.h"

#include "replay/lanes.h"
#include "replay/sort.h"
#include "replay/tracks.h"

#include <stdlib.h>

/* Before it in order of time and tier?  Numbers decide between equals. */
static bool place_all(const struct making *m, uint32_t *place)
{
	struct tm_replay_rank *r = m->r;
	struct key *v = malloc((2 * (size_t)r->n + 1) * sizeof *v);

	for (uint32_t i = 0; v && i < r->n; i++)
		v[i] = (struct key) { m->t[i], (uint64_t)m->tier[i] << 32 | i };
	if (v)
		tm_replay_sort(v, v + r->n, r->n);
	for (uint32_t i = 0; v && i < r->n; i++) {
		r->t[i] = v[i].a;
		place[(uint32_t)v[i].b] = i;
	}
	free(v);
	return v != NULL;
}

static uint32_t place_of(const uint32_t *place, uint32_t node)
{
	return node != NONE ? place[node] : NONE;
}

/* What each instant is, in its place. */
static void move_nodes(const struct making *m, const uint32_t *place)
{
	struct tm_replay_rank *r = m->r;

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t at = place[i], prev = place_of(place, m->prev[i]);

		r->kind[at] = m->kind[i];
		r->owner[at] = m->owner[i];
		if (prev != NONE && prev >= at) {
			prev = NONE;
			r->counts.dropped++;
		}
		r->prev[at] = prev;
	}
}

/* Edges by instant, each in the order in which they were made. */
static bool move_edges(struct making *m, const uint32_t *place)
{
	struct tm_replay_rank *r = m->r;
	uint32_t *at = r->first;

	if (m->n >= UINT32_MAX)
		return false;
	for (size_t i = 0; i < m->n; i++) {
		struct loose *l = &m->v[i];

		l->node = place[l->node];
		l->e.pred = place_of(place, l->e.pred);
		if (l->e.pred != NONE && l->e.pred >= l->node) {
			l->node = NONE;
			r->counts.dropped++;
			continue;
		}
		at[l->node + 1]++;
		r->nedge++;
	}
	for (uint32_t i = 0; i < r->n; i++)
		at[i + 1] += at[i];
	r->edge = malloc((r->nedge + 1) * sizeof *r->edge);
	if (!r->edge)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].node != NONE)
			r->edge[at[m->v[i].node]++] = m->v[i].e;
	for (uint32_t i = r->n; i; i--)
		at[i] = at[i - 1];
	at[0] = 0;
	return true;
}

__extension__ typedef __int128 wide;

/* How far above the recorded time the edge's usual latency would put the instant. */
static wide reach(const struct tm_replay_rank *r, uint32_t node, const struct edge *e)
{
	enum edge_kind k = edge_kind(e);

	if (k == EDGE_SEG || k == EDGE_JIT || k == EDGE_UNTRACED)
		return 0;
	return (wide)e->est - (wide)(r->t[node] - r->t[e->pred]);
}

/* The edge that binds at that level; NONE = the one along the thread, lane or operation. */
static uint32_t binding(const struct tm_replay_rank *r, uint32_t node, int level)
{
	bool host = r->kind[node] < NODE_START, implicit = r->prev[node] != NONE;
	bool any = implicit && r->kind[node] != NODE_START, order = implicit && !any;
	uint32_t best = NONE;
	wide most = 0;

	for (uint32_t i = r->first[node]; i < r->first[node + 1]; i++) {
		const struct edge *e = &r->edge[i];
		wide at;

		if (!edge_at(e, level))
			continue;
		if (host && !level && edge_kind(e) == EDGE_THREAD)
			return i;
		if (order && edge_kind(e) > EDGE_LAUNCH) {
			at = -(wide)(r->t[node] - r->t[r->prev[node]]);
			if (!any || at > most) {
				most = at;
				best = NONE;
			}
			any = true;
			order = false;
		}
		at = reach(r, node, e);
		if (!any || at > most) {
			most = at;
			best = i;
		}
		any = true;
	}
	if (order && any && -(wide)(r->t[node] - r->t[r->prev[node]]) > most)
		best = NONE;
	return best;
}

static void bind_all(struct tm_replay_rank *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		for (int g = 0; g < LEVELS && r->first[i] < r->first[i + 1]; g++) {
			uint32_t e = binding(r, i, g);

			if (e != NONE)
				r->edge[e].meta |= 1u << (BIND_AT + g);
		}
}

bool tm_replay_order(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	uint32_t *place = malloc(((size_t)r->n + 1) * sizeof *place);
	bool ok;

	r->t = malloc(((size_t)r->n + 1) * sizeof *r->t);
	r->prev = malloc(((size_t)r->n + 1) * sizeof *r->prev);
	r->owner = malloc(((size_t)r->n + 1) * sizeof *r->owner);
	r->kind = malloc((size_t)r->n + 1);
	r->first = calloc((size_t)r->n + 2, sizeof *r->first);
	ok = place && r->t && r->prev && r->owner && r->kind && r->first && place_all(m, place);
	if (ok)
		move_nodes(m, place);
	ok = ok && move_edges(m, place);
	if (ok)
		bind_all(r);
	free(place);
	return ok;
}
