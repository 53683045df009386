/* SPDX-License-Identifier: MIT
 * Instants in recorded order, the edges to each of them, and which of these bind. */
#include "replay/order.h"

#include "base/base.h"
#include "replay/lanes.h"
#include "replay/tracks.h"

#include <stdlib.h>
#include <string.h>

/* Latencies vary by so much and this part of the usual one. */
enum { VARY_NS = 500, VARY_PART = 4 };

/* ---- instants by their first numbers ---- */

static bool is_of_call(const struct tm_replay_rank *r, uint32_t node)
{
	return node < call_starts(r->ncall);
}

static uint32_t op_of(const struct tm_replay_rank *r, uint32_t node)
{
	return node / 2 - r->ncall;
}

static enum node_kind kind_of(const struct making *m, uint32_t node)
{
	if (is_of_call(m->r, node))
		return (enum node_kind)m->kind[node];
	return node & 1 ? NODE_END : NODE_START;
}

static uint64_t time_of(const struct making *m, uint32_t node)
{
	const struct tm_replay_op *o;

	if (is_of_call(m->r, node))
		return m->t[node];
	o = &m->r->op[op_of(m->r, node)];
	return node & 1 ? o->end : o->start;
}

static uint8_t tier_of(const struct making *m, uint32_t node)
{
	const struct tm_replay_rank *r = m->r;
	const struct tm_replay_op *o;
	bool joined;

	if (is_of_call(r, node))
		return m->tier[node];
	if (kind_of(m, node) == NODE_START)
		return TIER_START;
	o = &r->op[op_of(r, node)];
	joined = o->group != NONE && r->all->group[o->group].arrival == o->end;
	return joined || o->start == o->end ? TIER_EMPTY : TIER_END;
}

/* The instant before it in its thread, lane or operation; NONE. */
static uint32_t prev_of(const struct making *m, uint32_t node)
{
	uint32_t before;

	if (is_of_call(m->r, node))
		return m->prev[node];
	if (kind_of(m, node) == NODE_END)
		return op_starts(m->r, op_of(m->r, node));
	before = op_before(m->r, op_of(m->r, node));
	return before != NONE ? op_starts(m->r, before) : NONE;
}

/* ---- their order ---- */

/* Of two instants of one time, does x come after y, of which the number is higher? */
static bool after_at_once(const struct making *m, uint32_t x, uint32_t y)
{
	const uint8_t a = tier_of(m, x), b = tier_of(m, y);

	return a != b ? a > b : x > y;
}

/* Where the runs begin that the instants are as they are numbered, and the end of the last; NULL
 * when out of memory. */
static uint32_t *find_runs(const struct making *m, uint32_t n, uint32_t *runs)
{
	uint32_t *begin = NULL, found = 0;
	uint64_t last = 0, t = 0;
	size_t cap = 0;

	for (uint32_t i = 0; i <= n; i++, last = t) {
		t = i < n ? time_of(m, i) : 0;
		if (i && i < n && (last < t || (last == t && !after_at_once(m, i - 1, i))))
			continue;
		if (!tm_grow_array(&begin, &cap, (size_t)found + 1, sizeof *begin)) {
			free(begin);
			return NULL;
		}
		begin[found++] = i;
	}
	*runs = found - 1;
	return begin;
}

/* The runs [i, mid) and [mid, end), none empty. */
static void merge(const struct making *m, const uint32_t *v, size_t i, size_t mid, size_t end,
                  uint32_t *out)
{
	size_t k = mid;
	uint32_t x = v[i], y = v[k];
	uint64_t at_x = time_of(m, x), at_y = time_of(m, y);

	while (i < mid && k < end) {
		if (at_x < at_y || (at_x == at_y && !after_at_once(m, x, y))) {
			*out++ = x;
			x = ++i < mid ? v[i] : x;
			at_x = time_of(m, x);
		} else {
			*out++ = y;
			y = ++k < end ? v[k] : y;
			at_y = time_of(m, y);
		}
	}
	memcpy(out, v + i, (mid - i) * sizeof *out);
	memcpy(out + (mid - i), v + k, (end - k) * sizeof *out);
}

/* Numbers of instants in order, v or room; NULL when out of memory.  Threads and lanes are in order
 * already, so that there are few runs to merge. */
static uint32_t *sorted(const struct making *m, uint32_t *v, uint32_t *room, uint32_t n)
{
	uint32_t runs = 0, *begin = find_runs(m, n, &runs);

	for (uint32_t i = 0; i < n; i++)
		v[i] = i;
	if (!begin)
		return NULL;
	while (runs > 1) {
		uint32_t *swap = v, left = 0;

		for (uint32_t k = 0; k < runs; k += 2) {
			const uint32_t i = begin[k], mid = begin[k + 1];

			if (k + 1 < runs)
				merge(m, v, i, mid, begin[k + 2], room + i);
			else
				memcpy(room + i, v + i, (mid - i) * sizeof *v);
			begin[left++] = i;
		}
		begin[left] = n;
		runs = left;
		v = room;
		room = swap;
	}
	free(begin);
	return v;
}

/* What each instant is: *order, which becomes r->owner, has the number of each. */
static bool say_nodes(struct making *m, uint32_t *order)
{
	struct tm_replay_rank *r = m->r;

	r->t = tm_array((size_t)r->n + 1, sizeof *r->t);
	r->what = tm_array((size_t)r->n + 1, 1);
	r->owner = order;
	if (!r->t || !r->what)
		return false;
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t node = order[i];

		m->place[node] = i;
		r->t[i] = time_of(m, node);
		r->what[i] = (uint8_t)kind_of(m, node);
		r->owner[i] = is_of_call(r, node) ? m->owner[node] : op_of(r, node);
	}
	return true;
}

bool tm_replay_place(struct making *m)
{
	const uint32_t n = m->r->n;
	uint32_t *v = tm_array((size_t)n + 1, sizeof *v), *order = NULL;
	uint32_t *room = tm_array((size_t)n + 1, sizeof *room);

	if (v && room)
		order = sorted(m, v, room, n);
	if (!order) {
		free(v);
		free(room);
		return false;
	}
	m->place = order == v ? room : v;
	return say_nodes(m, order);
}

static uint32_t place_of(const uint32_t *place, uint32_t node)
{
	return node != NONE ? place[node] : NONE;
}

/* Where the instant before each one is, but for those against the order. */
static bool place_prev(struct making *m)
{
	struct tm_replay_rank *r = m->r;

	r->prev = tm_array((size_t)r->n + 1, sizeof *r->prev);
	for (uint32_t node = 0; r->prev && node < r->n; node++) {
		uint32_t at = m->place[node], prev = place_of(m->place, prev_of(m, node));

		if (prev != NONE && prev >= at) {
			prev = NONE;
			r->counts.dropped++;
		}
		r->prev[at] = prev;
	}
	return r->prev != NULL;
}

/* Which edges are to which instant: the first of instant i is at[i], of its `to` at[i + 1]. */
static bool say_edges(struct tm_replay_rank *r, const uint32_t *at)
{
	r->first = tm_array((size_t)r->n / EDGES_BLOCK + 1, sizeof *r->first);
	for (uint32_t i = 0; r->first && i < r->n; i++) {
		uint32_t n = at[i + 1] - at[i];

		if (i % EDGES_BLOCK == 0)
			r->first[i / EDGES_BLOCK] = at[i];
		if (n >= EDGES_MANY)
			r->edge[at[i + 1] - 1].meta |= 1u << LAST_AT;
		r->what[i] |= (uint8_t)((n < EDGES_MANY ? n : EDGES_MANY) << KIND_BITS);
	}
	return r->first != NULL;
}

/* Edges by instant, each in the order in which they were made; `at` is room for a number of each
 * instant and two more, 0. */
static bool move_edges(struct making *m, const uint32_t *place, uint32_t *at)
{
	struct tm_replay_rank *r = m->r;

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
	r->edge = tm_array(r->nedge + 1, sizeof *r->edge);
	if (!r->edge)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].node != NONE)
			r->edge[at[m->v[i].node]++] = m->v[i].e;
	for (uint32_t i = r->n; i; i--)
		at[i] = at[i - 1];
	at[0] = 0;
	return say_edges(r, at);
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

/* Does the usual latency of the edge, with what latencies vary by, explain the instant? */
static bool explains(const struct tm_replay_rank *r, uint32_t node, const struct edge *e)
{
	enum edge_kind k = edge_kind(e);
	uint64_t slack, off;

	if (k != EDGE_LAUNCH && k != EDGE_FIFO && k != EDGE_EVENT && k != EDGE_SYNC &&
	    k != EDGE_ROOM)
		return false;
	slack = r->t[node] - r->t[e->pred];
	off = slack > e->est ? slack - e->est : e->est - slack;
	return off <= e->est / VARY_PART + VARY_NS;
}

/* How far the recorded latency of an edge is from its usual one: `off`, of that: `of`. */
struct misfit {
	uint64_t off, of;
};

static struct misfit misfit_of(const struct tm_replay_rank *r, uint32_t node, const struct edge *e)
{
	uint64_t slack = r->t[node] - r->t[e->pred];

	return (struct misfit) { slack > e->est ? slack - e->est : e->est - slack,
		                 e->est ? e->est : 1 };
}

/* Would the operation usually have been ready, by another edge, when what it may have waited for on
 * another lane ended, and does that edge explain its start better? */
static bool was_over(const struct tm_replay_rank *r, uint32_t node, const struct edge *wait,
                     const struct edge *other)
{
	struct misfit a = misfit_of(r, node, wait), b = misfit_of(r, node, other);

	return r->t[wait->pred] <= r->t[other->pred] ||
	       (r->t[wait->pred] - r->t[other->pred] <= other->est &&
	        (tm_u128)b.off * a.of <= (tm_u128)a.off * b.of);
}

/* Is the instant explained without the wait for another lane, which ended too late for its usual
 * latency, or when the operation was not yet ready?  Then there was nothing left to wait for. */
static bool in_vain(const struct tm_replay_rank *r, uint32_t node, struct edges all,
                    const struct edge *e, int level)
{
	bool late;

	if (edge_kind(e) != EDGE_EVENT)
		return false;
	late = reach(r, node, e) > (wide)(e->est / VARY_PART + VARY_NS);
	for (uint32_t i = all.from; i < all.to; i++) {
		const struct edge *other = &r->edge[i];

		if (edge_kind(other) != EDGE_EVENT && edge_at(other, level) &&
		    explains(r, node, other) && (late || was_over(r, node, e, other)))
			return true;
	}
	return false;
}

/* The edge that binds at that level; NONE = the one along the thread, lane or operation. */
static uint32_t binding(const struct tm_replay_rank *r, uint32_t node, struct edges all, int level)
{
	bool host = node_kind(r, node) < NODE_START, implicit = r->prev[node] != NONE;
	bool any = implicit && node_kind(r, node) != NODE_START, order = implicit && !any;
	uint32_t best = NONE;
	wide most = 0;

	for (uint32_t i = all.from; i < all.to; i++) {
		const struct edge *e = &r->edge[i];
		wide at;

		if (!edge_at(e, level) || in_vain(r, node, all, e, level) ||
		    is_over(r, node, all, e))
			continue;
		if (host && level <= LIKELY && edge_kind(e) == EDGE_THREAD)
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

/* Where one of the open edges of a kind is only possible, only one of those is. */
static void mark_only(struct tm_replay_rank *r, struct edges all, enum edge_kind kind)
{
	bool only = false;

	for (uint32_t i = all.from; i < all.to; i++)
		only |= edge_open(&r->edge[i]) && edge_kind(&r->edge[i]) == kind &&
		        !edge_at(&r->edge[i], 0);
	for (uint32_t i = all.from; only && i < all.to; i++)
		if (edge_kind(&r->edge[i]) == kind)
			r->edge[i].meta |= 1u << ONLY_AT;
}

/* What is open, for whoever goes through the edges later. */
static void mark_open(struct tm_replay_rank *r, struct edges all)
{
	for (uint32_t i = all.from; i < all.to; i++)
		if (edge_open(&r->edge[i]))
			r->edge[all.from].meta |= 1u << ANY_AT;
	mark_only(r, all, EDGE_EVENT);
	mark_only(r, all, EDGE_SYNC);
}

/* The edges that may bind instead of the one that is likely to. */
static void find_open(struct tm_replay_rank *r, uint32_t node, struct edges all, uint32_t likely)
{
	bool any = false;

	if (node_kind(r, node) == NODE_GAP) {
		for (uint32_t i = all.from; i < all.to; i++)
			if (!(r->edge[i].meta >> MASK_AT & MASK_ALL))
				r->edge[i].meta |= 1u << OPEN_AT;
		return;
	}
	if (likely == NONE || !explains(r, node, &r->edge[likely]))
		return;
	for (uint32_t i = all.from; i < all.to; i++)
		if (i != likely && !edge_binds(&r->edge[i], LIKELY) &&
		    explains(r, node, &r->edge[i]) && !is_over(r, node, all, &r->edge[i])) {
			r->edge[i].meta |= 1u << OPEN_AT;
			any = true;
		}
	if (any)
		r->edge[likely].meta |= 1u << OPEN_AT;
}

/* When the operation of an instant could have begun at a level, but for other lanes. */
static uint64_t was_ready(const struct tm_replay_rank *r, uint32_t node, struct edges all,
                          int level)
{
	uint64_t ready = r->prev[node] != NONE ? r->t[r->prev[node]] : 0;
	bool bound = false;

	for (uint32_t n = all.from; n < all.to; n++) {
		const struct edge *e = &r->edge[n];
		bool now = edge_binds(e, level);
		uint64_t slack, ns;

		bound |= now;
		if (edge_kind(e) == EDGE_EVENT || !edge_at(e, level))
			continue;
		if (edge_kind(e) == EDGE_UNTRACED)
			return r->t[node];
		slack = r->t[node] - r->t[e->pred];
		ns = now || e->est > slack ? slack : e->est;
		ready = r->t[e->pred] + ns > ready ? r->t[e->pred] + ns : ready;
	}
	return bound ? ready : r->t[node];
}

/* What passes ask of recorded times. */
static void note_recorded(struct tm_replay_rank *r, uint32_t node, struct edges all)
{
	bool events = false;
	int to;

	for (uint32_t i = all.from; i < all.to; i++) {
		events |= edge_kind(&r->edge[i]) == EDGE_EVENT;
		if (is_over(r, node, all, &r->edge[i]))
			r->edge[i].meta |= 1u << OVER_AT;
	}
	for (int g = first_level(r, &to); events && g < to; g++) {
		uint64_t ready = was_ready(r, node, all, g);

		for (uint32_t i = all.from; i < all.to; i++)
			if (edge_kind(&r->edge[i]) == EDGE_EVENT && r->t[r->edge[i].pred] > ready)
				r->edge[i].meta |= 1u << (LATE_AT + g);
	}
}

static void bind_all(struct tm_replay_rank *r)
{
	struct edges all = { 0 };
	int to, from = first_level(r, &to);

	for (uint32_t i = 0; i < r->n; i++) {
		all = edges_from(r, i, all.to);
		if (all.from == all.to)
			continue;
		for (int g = from; g < to; g++) {
			uint32_t e = binding(r, i, all, g);

			if (e != NONE)
				r->edge[e].meta |= 1u << (BIND_AT + g);
			if (g == LIKELY && !r->all->likely)
				find_open(r, i, all, e);
		}
		if (!r->all->likely)
			mark_open(r, all);
		note_recorded(r, i, all);
	}
}

bool tm_replay_order(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	uint32_t *at = calloc((size_t)r->n + 2, sizeof *at);
	bool ok = at && move_edges(m, m->place, at);

	free(at);
	free(m->v);
	m->v = NULL;
	ok = ok && place_prev(m);
	if (ok)
		bind_all(r);
	return ok;
}
