/* SPDX-License-Identifier: MIT */
#include "replay/pass.h"

#include "base/base.h"
#include "replay/usual.h"
#include "replay/weights.h"

#include <stdlib.h>
#include <string.h>

void tm_replay_touch(struct pass *p, uint8_t *touched)
{
	const struct tm_replay_scenario *s = p->s;

	p->touched = touched;
	p->same_lengths = true;
	for (uint32_t name = 0; name < p->r->rows->names.n; name++) {
		bool copies = s->copy != TM_REPLAY_UNIT && !p->r->class_of[name];
		bool talks = s->comm != TM_REPLAY_UNIT && p->r->rows->comm[name];

		touched[name] = copies || talks;
		for (size_t i = 0; i < s->nscale; i++)
			touched[name] |= is_scaled(p, &s->scale[i], name);
		p->same_lengths &= !touched[name];
	}
}

uint64_t tm_replay_op_ns(const struct pass *p, uint32_t rank, uint32_t op)
{
	return op_ns(p, p->r->rank[rank], op, rank);
}

/* ---- edges ---- */

/* Instant i of a rank, and the edges to it. */
struct spot {
	const struct tm_replay_rank *k;
	uint32_t rank, i;
	struct edges all;
};

/* Is the lane at work when its operation is submitted, at `sub`, with these times? */
static bool is_busy(const struct pass *p, const struct spot *s, uint64_t sub)
{
	const struct tm_replay_rank *k = s->k;
	const uint64_t *t = p->t[s->rank];

	for (uint32_t e = s->all.from; e < s->all.to; e++) {
		const struct edge *edge = &k->edge[e];

		if (!edge_at(edge, p->level))
			continue;
		if (edge_kind(edge) == EDGE_FIFO && t[edge->pred] > sub)
			return true;
		if (edge_kind(edge) == EDGE_JIT &&
		    plus(t[edge->pred], op_ns(p, k, k->owner[edge->pred], s->rank)) > sub)
			return true;
	}
	return k->prev[s->i] != NONE && t[k->prev[s->i]] > sub;
}

/* What is from a call to its operation, `ns` as long as its lane is as busy as it was: an idle one
 * is roused first, another one begins as soon as it can. */
static uint64_t roused(const struct pass *p, const struct spot *s, const struct edge *e, bool binds,
                       uint64_t ns)
{
	const struct tm_replay_rank *k = s->k;
	uint32_t op = k->owner[s->i];
	bool early = is_roused(k, p->way, op, true), late = is_roused(k, p->way, op, false), was,
	     is;
	const uint64_t *t = p->t[s->rank];
	uint64_t part;

	if (p->s->blind || (!early && !late))
		return ns;
	part = tm_replay_submits(k, op);
	was = was_busy(k, s->i, s->all, p->level, k->t[e->pred] + part);
	part = submits_ns(p, k, k->op[op].call, part);
	is = is_busy(p, s, plus(t[e->pred], part));
	if (early && is && !(was && binds))
		return part < ns ? part : ns;
	part = part ? plus(part, k->rouse) : launch_ns(p, k, s->i, e->est);
	return late && was && !is && part > ns ? part : ns;
}

/* The end of a call that waits for an operation.  One that has ended when the call begins is not
 * waited for, so nothing returns from it; one that had ended then in the recording, and has not
 * here, has the usual return.  False when there is no wait. */
static bool wait_ends(const struct pass *p, const struct spot *s, const struct edge *e, uint64_t ns,
                      uint64_t *out)
{
	const struct tm_replay_rank *k = s->k;
	const uint64_t *t = p->t[s->rank];
	uint32_t begins = wait_begins(k, s->i, s->all);

	if (waits_not(p, k, k->owner[s->i]) || (begins != NONE && t[e->pred] <= t[begins]))
		return false;
	*out = plus(t[e->pred], edge_over(e) ? e->est : ns);
	return true;
}

/* What a stored edge says of an instant, where it binds or not.  False when it does not hold any
 * more. */
static bool edge_time(const struct pass *p, const struct spot *s, const struct edge *e, bool binds,
                      uint64_t *out)
{
	const struct tm_replay_rank *k = s->k;
	enum edge_kind kind = edge_kind(e);
	uint64_t slack, ns, length;

	if (kind == EDGE_UNTRACED) {
		*out = k->t[s->i];
		return node_kind(k, s->i) != NODE_END || is_elsewhere(p);
	}
	slack = k->t[s->i] - k->t[e->pred];
	ns = e->est < slack ? e->est : slack;
	if (binds)
		ns = p->s->blind ? e->est : slack;
	switch (kind) {
	case EDGE_SEG:
		ns = seg_ns(p, k, s->i, slack);
		break;
	case EDGE_OWN:
		ns = seg_ns(p, k, s->i, p->s->blind && e->est < slack ? e->est : ns);
		break;
	case EDGE_LAUNCH:
		ns = roused(p, s, e, binds, launch_ns(p, k, s->i, ns));
		break;
	case EDGE_JIT:
		length = op_ns(p, k, k->owner[e->pred], s->rank);
		ns = length > e->est ? length - e->est : 0;
		break;
	case EDGE_ROOM:
		ns = scaled(ns, p->s->launch);
		break;
	case EDGE_SYNC:
		return wait_ends(p, s, e, ns, out);
	default:
		break;
	}
	*out = plus(p->t[s->rank][e->pred], ns);
	return true;
}

/* The same, without a call where the edge is along a lane or from another one, as most are. */
static inline bool edge_now(const struct pass *p, const struct spot *s, const struct edge *e,
                            bool binds, uint64_t *out)
{
	enum edge_kind kind = edge_kind(e);
	uint64_t slack, ns;

	if ((kind != EDGE_FIFO && kind != EDGE_EVENT) || p->s->blind)
		return edge_time(p, s, e, binds, out);
	slack = s->k->t[s->i] - s->k->t[e->pred];
	ns = binds || e->est > slack ? slack : e->est;
	*out = plus(p->t[s->rank][e->pred], ns);
	return true;
}

/* The edge that is not stored; EDGE_NO when there is none.  `bound`: a stored one binds. */
static inline enum edge_kind implicit_time(const struct pass *p, const struct tm_replay_rank *k,
                                           uint32_t rank, uint32_t i, bool bound, uint64_t *out)
{
	enum node_kind node = node_kind(k, i);
	enum edge_kind kind = EDGE_SEG;
	uint32_t prev = k->prev[i], op, group;
	uint64_t ns;

	if (node == NODE_END) {
		op = k->owner[i];
		group = p->r->ngroup ? k->op[op].group : NONE;
		if (group != NONE) {
			ns = kernel_ns(p, &k->op[op], k->op[op].end - p->r->group[group].arrival);
			ns = p->s->even ? scaled(ns, p->r->group[group].factor) : ns;
			*out = p->arrival[group];
			/* One that comes later than that has begun with it. */
			if (p->s->prompt && prev != NONE && p->t[rank][prev] > *out)
				*out = p->t[rank][prev];
			*out = plus(*out, scaled(ns, p->s->comm));
			return EDGE_COLL;
		}
		kind = EDGE_DUR;
		ns = prev == NONE ? 0 : op_ns(p, k, op, rank);
	} else if (node == NODE_START) {
		kind = EDGE_ORDER;
		ns = bound || p->s->blind || prev == NONE ? 0 : k->t[i] - k->t[prev];
	} else {
		ns = prev == NONE ? 0 : seg_ns(p, k, i, k->t[i] - k->t[prev]);
	}
	if (prev == NONE)
		return EDGE_NO;
	*out = plus(p->t[rank][prev], ns);
	return kind;
}

/* A pause of a thread that may have been its own work, or a wait for a call of another. */
static uint64_t pause_ends(const struct pass *p, const struct spot *s, const struct edge *e)
{
	const struct tm_replay_rank *k = s->k;
	const uint64_t *t = p->t[s->rank];
	uint32_t i = s->i;
	uint64_t from = t[k->prev[i]], ns = k->t[i] - k->t[k->prev[i]];
	uint64_t work = plus(from, seg_ns(p, k, i, ns)), wait;

	from = plus(from, seg_ns(p, k, i, e->est < ns ? e->est : ns));
	wait = plus(t[e->pred], k->t[i] - k->t[e->pred]);
	wait = from > wait ? from : wait;
	return (p->way == WAY_LEAST) == (work < wait) ? work : wait;
}

/* An instant of which several edges may have bound: each in turn, and the least or the most. */
static uint64_t open_instant(const struct pass *p, const struct spot *s)
{
	bool any = false;
	uint64_t at, floor = 0, bound = p->way == WAY_LEAST ? UINT64_MAX : 0;

	if (node_kind(s->k, s->i) == NODE_GAP)
		return pause_ends(p, s, &s->k->edge[s->all.from]);
	for (uint32_t n = s->all.from; n < s->all.to; n++) {
		const struct edge *e = &s->k->edge[n];
		bool open = edge_open(e);

		if (open && edge_now(p, s, e, true, &at)) {
			bound = (p->way == WAY_LEAST) == (at < bound) ? at : bound;
			any = true;
		}
		if (edge_at(e, p->level) && !(open && edge_only(e)) &&
		    edge_now(p, s, e, !open && edge_binds(e, p->level), &at))
			floor = at > floor ? at : floor;
	}
	if (implicit_time(p, s->k, s->rank, s->i, true, &at) != EDGE_NO)
		floor = at > floor ? at : floor;
	return any && bound > floor ? bound : floor;
}

/* Waits for other lanes.  When the operation could begin at `best` but for them, one that has ended
 * by then is not waited for, and its event takes no time, else the usual one.  An edge that binds
 * although its operation had ended by then in the recording is not what it looks like, and stays as
 * it is.  True when any counts. */
static bool events_time(const struct pass *p, const struct spot *s, bool any, bool binds,
                        uint64_t *best, struct came *came)
{
	const struct tm_replay_rank *k = s->k;
	uint64_t ready = *best, at;
	bool some = false, early, late;

	for (uint32_t n = s->all.from; n < s->all.to; n++) {
		const struct edge *e = &k->edge[n];
		bool now = edge_binds(e, p->level);

		if (edge_kind(e) != EDGE_EVENT || !edge_at(e, p->level) ||
		    !edge_now(p, s, e, now, &at))
			continue;
		early = any && p->t[s->rank][e->pred] <= ready;
		if (early && !now)
			continue;
		late = edge_late(e, p->level);
		if (early && late)
			continue;
		if (any && !now && !late)
			at = plus(p->t[s->rank][e->pred], e->est);
		if ((any || some) && (at < *best || (at == *best && (binds || !now))))
			continue;
		*best = at;
		some = true;
		binds = now;
		if (came)
			*came = (struct came) { EDGE_EVENT, e->pred, e };
	}
	return some;
}

/* A kernel that waits for no kernel of another queue any more, but for what else it did, with usual
 * latencies.  So early it may be that its launch, or one before it in its lane, is what it waits
 * for. */
static uint64_t overlap_time(const struct pass *p, const struct spot *s, struct came *came)
{
	const struct tm_replay_rank *k = s->k;
	uint64_t best, at;
	struct came of = { implicit_time(p, k, s->rank, s->i, true, &best), k->prev[s->i], NULL };

	best = of.kind == EDGE_NO ? 0 : best;
	for (uint32_t n = s->all.from; n < s->all.to; n++) {
		const struct edge *e = &k->edge[n];

		if (!edge_at(e, p->level) || edge_kind(e) == EDGE_EVENT ||
		    !edge_time(p, s, e, false, &at) || at < best)
			continue;
		best = at;
		of = (struct came) { edge_kind(e), e->pred, e };
	}
	if (came)
		*came = of;
	return best;
}

/* The time of an instant, and what it waited for, unless `came` is NULL. */
__attribute__((always_inline)) static inline uint64_t instant(const struct pass *p,
                                                              const struct tm_replay_rank *k,
                                                              uint32_t rank, uint32_t i,
                                                              struct edges all, struct came *came)
{
	const struct spot s = { k, rank, i, all };
	uint64_t best = 0, at;
	bool any = false, bound = false, binds = false, events = false;
	enum edge_kind kind;

	if (overlaps_now(p, k, i))
		return overlap_time(p, &s, came);
	if (p->way != WAY_LIKELY && is_open(k, all))
		return open_instant(p, &s);
	for (uint32_t e = all.from; e < all.to; e++) {
		const struct edge *edge = &k->edge[e];
		bool now = edge_binds(edge, p->level);

		bound |= now;
		events |= edge_kind(edge) == EDGE_EVENT;
		if (edge_kind(edge) == EDGE_EVENT || !edge_at(edge, p->level) ||
		    !edge_now(p, &s, edge, now, &at))
			continue;
		if (any && (at < best || (at == best && !now)))
			continue;
		best = at;
		any = true;
		if (came)
			*came = (struct came) { edge_kind(edge), edge->pred, edge };
		binds = now;
	}
	kind = implicit_time(p, k, rank, i, bound, &at);
	if (kind != EDGE_NO && (!any || at > best || (at == best && !binds))) {
		best = at;
		any = true;
		binds = false;
		if (came)
			*came = (struct came) { kind, kind == EDGE_COLL ? NONE : k->prev[i], NULL };
	}
	if (events)
		any = events_time(p, &s, any, binds, &best, came) || any;
	if (!any && came)
		*came = (struct came) { EDGE_NO, NONE, NULL };
	return any ? best : first_ns(p, k, i);
}

/* Does the scenario leave the host as it was, and operations? */
struct leaves {
	bool gaps, calls, lengths;
};

static struct leaves leaves_of(const struct pass *p)
{
	return (struct leaves) { .gaps = !gaps_change(p->s),
		                 .calls = !p->s->nosync && !launches_change(p->s),
		                 .lengths = p->same_lengths && !p->balanced && !p->beside };
}

/* What passes before an instant that waits for nothing but the one before it on its thread, or that
 * ends an operation. */
static inline uint64_t after_ns(const struct pass *p, const struct tm_replay_rank *k, uint32_t rank,
                                uint32_t i, enum node_kind kind, const struct leaves *same)
{
	bool leave = kind == NODE_GAP ? same->gaps : kind == NODE_END ? same->lengths : same->calls;
	uint64_t ns = k->t[i] - k->t[k->prev[i]];

	if (leave)
		return ns;
	return kind == NODE_END ? op_ns(p, k, k->owner[i], rank) : seg_ns(p, k, i, ns);
}

static int by_time(const void *pa, const void *pb)
{
	return tm_u64_cmp(*(const uint64_t *)pa, *(const uint64_t *)pb);
}

/* When half of a collective are there, of which all starts are known: no earlier than that of the
 * one in the middle, or of the first of two. */
static void begin_early(const struct pass *p, uint32_t group)
{
	const struct tm_replay_group *g = &p->r->group[group];
	uint64_t *v = p->starts;

	if (g->pair)
		return;
	for (uint32_t i = 0; i < g->members; i++)
		v[i] = p->t[p->r->member[g->from + i].rank][p->r->place[g->from + i]];
	qsort(v, g->members, sizeof *v, by_time);
	p->arrival[group] = v[(g->members - 1) / 2];
}

/* Go on with one rank as far as what others do is known.  True at its end. */
static bool go_on(struct pass *p, uint32_t rank, uint32_t *at, uint32_t *left)
{
	const struct tm_replay_rank *k = p->r->rank[rank];
	uint64_t *t = p->t[rank];
	const struct leaves same = leaves_of(p);
	struct edges all = { 0 };
	bool groups = p->r->ngroup != 0;
	uint32_t i = *at;

	if (i < k->n)
		all.to = edges_of(k, i).from;
	for (; i < k->n; i++) {
		enum node_kind kind = node_kind(k, i);
		uint32_t g = groups && kind >= NODE_START ? k->op[k->owner[i]].group : NONE;

		if (g != NONE && kind == NODE_END && left[g])
			break;
		all = edges_from(k, i, all.to);
		if (all.from == all.to && kind != NODE_START && g == NONE && k->prev[i] != NONE) {
			t[i] = plus(t[k->prev[i]], after_ns(p, k, rank, i, kind, &same));
			continue;
		}
		t[i] = instant(p, k, rank, i, all, NULL);
		if (g == NONE || kind != NODE_START)
			continue;
		p->arrival[g] = t[i] > p->arrival[g] ? t[i] : p->arrival[g];
		if (!--left[g] && p->s->prompt)
			begin_early(p, g);
	}
	*at = i;
	return i == k->n;
}

void tm_replay_pass(struct pass *p, uint32_t *at, uint32_t *left)
{
	bool all;

	for (size_t g = 0; g < p->r->ngroup; g++) {
		p->arrival[g] = 0;
		left[g] = p->r->group[g].members;
	}
	memset(at, 0, p->r->nrank * sizeof *at);
	do {
		all = true;
		for (uint32_t i = 0; i < p->r->nrank; i++)
			all = go_on(p, i, &at[i], left) && all;
	} while (!all);
}

/* ---- back ---- */

void tm_replay_last(const struct pass *p, uint32_t *rank, uint32_t *i)
{
	uint64_t most = 0;
	bool any = false;

	*rank = *i = 0;
	for (uint32_t k = 0; k < p->r->nrank; k++) {
		uint64_t best = 0;
		uint32_t at = 0;

		for (uint32_t n = 0; n < p->r->rank[k]->n; n++)
			if (p->t[k][n] >= best && !is_aside(p->r->rank[k], n)) {
				best = p->t[k][n];
				at = n;
			}
		if (!any || best > most) {
			most = best;
			*rank = k;
			*i = at;
		}
		any = true;
	}
}

bool tm_replay_back(const struct pass *p, uint32_t *rank, uint32_t *i, struct came *came)
{
	const struct tm_replay_rank *k = p->r->rank[*rank];
	const struct tm_replay_group *g;

	instant(p, k, *rank, *i, edges_of(k, *i), came);
	if (came->kind != EDGE_COLL) {
		*i = came->pred;
		return came->pred != NONE;
	}
	g = &p->r->group[k->op[k->owner[*i]].group];
	for (uint32_t m = g->from; m < g->from + g->members; m++) {
		uint32_t r = p->r->member[m].rank, at = p->r->place[m];

		if (p->t[r][at] == p->arrival[g - p->r->group]) {
			*rank = r;
			*i = at;
			return true;
		}
	}
	return false;
}
