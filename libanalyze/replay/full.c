/* SPDX-License-Identifier: MIT
 * Launches that wait for room.  A queue holds so many operations and no more: once it is full, a
 * launch returns when the operation that many places before its own begins.  How many a queue
 * holds is recorded nowhere; where launches came up against it, it shows. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>

enum { LEAST_DEPTH = 8, ENOUGH = 5, MUST_PCT = 90 };
/* A call is long that takes so many times the usual length and this. */
enum { LONG_TIMES = 2, LONG_NS = 1000 };

/* What is learned of one lane. */
struct queue {
	const struct lane *lane;
	uint32_t most;  /* operations that had not begun when the call of one returned */
	uint32_t depth; /* 0 = it was never full */
	uint64_t lag;   /* from the start that makes room to the return */
};

/* The call that submits an operation, if that is all it does; NONE. */
static uint32_t call_of(const struct tm_replay_rank *r, uint32_t op)
{
	uint32_t call = r->op[op].call;

	if (call == NONE || r->call[call].ops != op)
		return NONE;
	if (call_does(r, call) != DOES_LAUNCH &&
	    (call_does(r, call) != DOES_MAYBE || r->op[op].end <= r->call[call].end))
		return NONE;
	return call;
}

/* Operations of the lane up to this one that had not begun when its call returned.  *at: those that
 * had, for the call before; the next one is near. */
static uint32_t left_of(const struct tm_replay_rank *r, const struct lane *l, uint32_t op,
                        uint64_t end, uint32_t *at)
{
	while (*at < l->to && r->op[*at].start <= end)
		++*at;
	while (*at > l->from && r->op[*at - 1].start > end)
		--*at;
	return op + 1 > *at ? op + 1 - *at : 0;
}

/* The calls of a lane, one after the other. */
struct walk {
	uint32_t op, call, left, at;
};

static struct walk walk_of(const struct lane *l)
{
	return (struct walk) { .op = l->from - 1, .at = l->from };
}

static bool next(const struct tm_replay_rank *r, const struct lane *l, struct walk *w)
{
	for (w->op++; w->op < l->to; w->op++) {
		w->call = call_of(r, w->op);
		if (w->call == NONE)
			continue;
		w->left = left_of(r, l, w->op, r->call[w->call].end, &w->at);
		return true;
	}
	return false;
}

static uint64_t length_of(const struct tm_replay_rank *r, uint32_t call)
{
	return r->call[call].end - r->call[call].start;
}

/* What a call of the function takes that finds room. */
static uint64_t free_ns(const struct tm_replay_rank *r, uint32_t call)
{
	const struct usual *u = tm_usual_of(&r->room, r->call[call].name, false);

	return u ? u->median : r->room.median;
}

static bool is_long(const struct tm_replay_rank *r, uint32_t call)
{
	uint64_t length = length_of(r, call), usual = free_ns(r, call);

	return length > LONG_NS && (length - LONG_NS) / LONG_TIMES > usual;
}

/* Did the call return soon after the operation so many places before its own had begun? */
static bool made_room(const struct tm_replay_rank *r, const struct lane *l, const struct walk *w,
                      uint32_t depth, uint64_t *lag)
{
	const struct tm_replay_call *c = &r->call[w->call];
	const struct tm_replay_op *o;

	if (w->left > depth || w->left + 1 < depth || w->op - l->from < depth)
		return false;
	o = &r->op[w->op - depth];
	if (o->start <= c->start || o->start >= c->end)
		return false;
	*lag = c->end - o->start;
	return *lag <= free_ns(r, w->call) + LONG_NS;
}

/* What most of the long calls leave, of equals the least; 0 where too few do. */
static uint32_t usual_left(const uint32_t *n, uint32_t most)
{
	uint32_t best = LEAST_DEPTH;

	for (uint32_t i = best + 1; i <= most; i++)
		best = n[i] > n[best] ? i : best;
	return n[best] >= ENOUGH ? best : 0;
}

/* How many operations a lane holds that have not begun: nearly all long calls return when room for
 * one more was made, and nearly none before. */
static bool find_depth(const struct tm_replay_rank *r, struct queue *q)
{
	uint32_t *n = calloc((size_t)q->most + 1, sizeof *n), depth, hits = 0, all = 0, more = 0;
	uint64_t *lag = tm_array((size_t)(q->lane->to - q->lane->from) + 1, sizeof *lag);
	struct walk w = walk_of(q->lane);
	bool ok = n && lag;

	while (ok && next(r, q->lane, &w))
		n[w.left] += is_long(r, w.call);
	depth = ok ? usual_left(n, q->most) : 0;
	for (w = walk_of(q->lane); depth && next(r, q->lane, &w);) {
		more += w.left > depth;
		if (w.left <= q->most / 2 || !is_long(r, w.call))
			continue;
		all++;
		hits += made_room(r, q->lane, &w, depth, &lag[hits]);
	}
	if (hits >= ENOUGH && (uint64_t)hits * 100 >= (uint64_t)all * MUST_PCT &&
	    (uint64_t)more * 100 <= (uint64_t)hits * (100 - MUST_PCT)) {
		q->lag = tm_replay_median(lag, hits);
		q->depth = depth;
	}
	free(n);
	free(lag);
	return ok;
}

/* Its calls wait for what makes room. */
static bool add_edges(struct making *m, const struct queue *q)
{
	struct tm_replay_rank *r = m->r;
	struct walk w = walk_of(q->lane);
	uint64_t lag;

	if (!r->full)
		r->full = calloc((size_t)r->ncall / 8 + 1, 1);
	if (!r->full)
		return false;
	while (next(r, q->lane, &w)) {
		uint32_t node = call_ends(w.call), before = w.op - q->depth;

		if (w.op - q->lane->from < q->depth || m->prev[node] != call_starts(w.call) ||
		    r->op[before].start >= r->call[w.call].end)
			continue;
		if (is_long(r, w.call) && made_room(r, q->lane, &w, q->depth, &lag)) {
			r->full[w.call / 8] |= (uint8_t)(1u << w.call % 8);
			tm_replay_edge(m, node, m->prev[node], EDGE_OWN, free_ns(r, w.call),
			               MASK_ALL);
			m->prev[node] = NONE;
		}
		tm_replay_edge(m, node, op_starts(r, before), EDGE_ROOM, q->lag, MASK_ALL);
	}
	return true;
}

/* Lanes that may have been full at some time, and what calls take that found room there. */
static uint32_t list_queues(struct tm_replay_rank *r, struct queue *v, struct samples *room)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->nlane; i++) {
		const struct lane *l = &r->lane[i];
		struct queue q = { .lane = l };
		struct walk w = walk_of(l);

		if (!l->has_id || l->overlaps)
			continue;
		while (next(r, l, &w))
			q.most = w.left > q.most ? w.left : q.most;
		if (q.most < LEAST_DEPTH)
			continue;
		for (w = walk_of(l); next(r, l, &w);)
			if (w.left <= q.most / 2)
				tm_samples_add(room, r->call[w.call].name, false,
				               length_of(r, w.call));
		v[n++] = q;
	}
	return n;
}

bool tm_replay_full(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	struct queue *v = calloc((size_t)r->nlane + 1, sizeof *v);
	struct samples room = { 0 };
	uint32_t n = v ? list_queues(r, v, &room) : 0;
	bool ok = v && (!n || tm_usuals_make(&r->room, &room));

	for (uint32_t i = 0; ok && i < n; i++)
		ok = find_depth(r, &v[i]) && (!v[i].depth || add_edges(m, &v[i]));
	free(v);
	return ok && !m->failed;
}

uint64_t tm_replay_call_ns(const struct tm_replay_rank *r, uint32_t call)
{
	uint64_t ns = length_of(r, call), usual;

	if (!r->full || !(r->full[call / 8] >> call % 8 & 1))
		return ns;
	usual = free_ns(r, call);
	return usual < ns ? usual : ns;
}
