/* SPDX-License-Identifier: MIT
 * Weights of the edges of a graph in a scenario, for passes of one and of several. */
#ifndef REPLAY_WEIGHTS_H
#define REPLAY_WEIGHTS_H

#include "replay/lanes.h"
#include "replay/pass.h"
#include "replay/tracks.h"
#include "replay/usual.h"

static inline uint64_t scaled(uint64_t ns, uint64_t factor)
{
	return factor == TM_REPLAY_UNIT ? ns : tm_replay_scaled(ns, factor);
}

static inline uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static inline bool is_scaled(const struct pass *p, const struct tm_replay_scale *s, uint32_t name)
{
	return (!s->class_of || s->class_of == p->r->class_of[name]) &&
	       (s->name == NONE || s->name == name) && (!s->set || s->set[name]);
}

/* How long what a kernel does takes: `ns` of it. */
static inline uint64_t kernel_ns(const struct pass *p, const struct tm_replay_op *o, uint64_t ns)
{
	for (size_t i = 0; i < p->s->nscale; i++)
		if (is_scaled(p, &p->s->scale[i], o->name))
			ns = scaled(ns, p->s->scale[i].factor);
	return ns;
}

/* The same, with the factor of the scenario for collectives. */
static inline uint64_t kernel_or_comm_ns(const struct pass *p, const struct tm_replay_op *o,
                                         uint64_t ns)
{
	ns = kernel_ns(p, o, ns);
	/* How much of it is waiting for other ranks is unknown. */
	if (p->s->comm != TM_REPLAY_UNIT && p->r->rows->comm[o->name] &&
	    (p->level < 2 || p->s->comm > TM_REPLAY_UNIT))
		ns = scaled(ns, p->s->comm);
	return ns;
}

/* Does it send or receive, nobody knows with whom? */
static inline bool is_unmatched(const struct tm_replay_rank *k, uint32_t op)
{
	return k->unmatched && k->unmatched[op / 8] >> op % 8 & 1;
}

static inline uint64_t op_ns(const struct pass *p, const struct tm_replay_rank *k, uint32_t op,
                             uint32_t rank)
{
	const struct tm_replay_op *o = &k->op[op];
	uint64_t ns = p->balanced ? p->balanced[rank][op] : o->end - o->start;

	if (p->beside)
		return p->beside[rank][op];
	if (p->touched && !p->touched[o->name])
		return ns;
	if (!p->r->class_of[o->name])
		return scaled(ns, p->s->copy);
	/* Of a receive most is likely to be waiting. */
	if (p->level && p->s->comm < TM_REPLAY_UNIT && is_unmatched(k, op))
		return kernel_ns(p, o, ns);
	return kernel_or_comm_ns(p, o, ns);
}

/* Does a send or receive end no earlier than in the recording, as the other rank comes no earlier?
 * That is possible; and likely where no operation takes another time, on any rank. */
static inline bool is_elsewhere(const struct pass *p)
{
	return p->level == 2 || (!p->s->blind && !p->s->nscale && !p->balanced &&
	                         p->s->copy == TM_REPLAY_UNIT && p->s->comm == TM_REPLAY_UNIT);
}

/* Does the operation of instant i wait for no kernel of another queue any more? */
static inline bool overlaps_now(const struct pass *p, const struct tm_replay_rank *k, uint32_t i)
{
	return p->s->overlap && node_kind(k, i) == NODE_START && tm_replay_in_turn(k, k->owner[i]);
}

/* Is it a call that does not wait any more? */
static inline bool waits_not(const struct pass *p, const struct tm_replay_rank *k, uint32_t call)
{
	return p->s->nosync && p->s->nosync[k->call[call].name] &&
	       k->thread[k->call[call].thread].last_wait != call &&
	       (call_does(k, call) != DOES_MAYBE || tm_replay_blocked(k, call));
}

/* Is the gap before instant i the pause of a loop that polls, in a scenario without those? */
static inline bool polls_not(const struct pass *p, const struct tm_replay_rank *k, uint32_t i)
{
	enum { AGAIN_NS = 100000 };
	const uint32_t prev = k->prev[i];

	return p->s->polling && prev != NONE && k->t[i] - k->t[prev] <= AGAIN_NS &&
	       p->s->nosync[k->call[k->owner[prev]].name] &&
	       p->s->nosync[k->call[k->owner[i]].name];
}

/* What happens to the time of a call that launches. */
static inline uint64_t launch_factor(const struct pass *p, const struct tm_replay_rank *k,
                                     uint32_t call)
{
	enum call_does d = call_does(k, call);

	return d == DOES_LAUNCH ? p->s->launch : d == DOES_GRAPH ? p->s->graph : TM_REPLAY_UNIT;
}

/* Does the host take another time between calls? */
static inline bool gaps_change(const struct tm_replay_scenario *s)
{
	return s->host != TM_REPLAY_UNIT || s->polling;
}

/* Does any call that launches take another time? */
static inline bool launches_change(const struct tm_replay_scenario *s)
{
	return s->launch != TM_REPLAY_UNIT || s->graph != TM_REPLAY_UNIT || s->loaded;
}

/* `ns` of a call that launches, from its start on, without what it loads. */
static inline uint64_t loaded_ns(const struct pass *p, const struct tm_replay_rank *k,
                                 uint32_t call, uint64_t ns)
{
	uint64_t loads;

	if (!p->s->loaded || !tm_replay_loads(k, call))
		return ns;
	loads = k->call[call].end - k->call[call].start - k->launched;
	return ns > loads ? ns - loads : 0;
}

/* How long a call takes to submit its operation, `ns` in the recording. */
static inline uint64_t submits_ns(const struct pass *p, const struct tm_replay_rank *k,
                                  uint32_t call, uint64_t ns)
{
	return scaled(loaded_ns(p, k, call, ns), launch_factor(p, k, call));
}

/* A stretch of a thread before instant i. */
static inline uint64_t seg_ns(const struct pass *p, const struct tm_replay_rank *k, uint32_t i,
                              uint64_t ns)
{
	uint32_t call;

	if (node_kind(k, i) == NODE_GAP)
		return polls_not(p, k, i) ? 0 : scaled(ns, p->s->host);
	if (!p->s->nosync && !launches_change(p->s))
		return ns;
	call = k->owner[i];
	if (waits_not(p, k, call))
		return tm_replay_before_own(k, call);
	return submits_ns(p, k, call, ns);
}

/* What a faster launch takes from the latency of its operation: the part of the call before it
 * submits. */
static inline uint64_t launch_saves(const struct pass *p, const struct tm_replay_rank *k,
                                    uint32_t i)
{
	const uint64_t part[LEVELS] = { TM_REPLAY_UNIT, k->slope, 0 };
	uint32_t call = k->op[k->owner[i]].call;
	const uint64_t factor = launch_factor(p, k, call);
	uint64_t before;

	if (factor >= TM_REPLAY_UNIT)
		return 0;
	before = scaled(tm_replay_call_ns(k, call), part[p->level]);
	return before - scaled(before, factor);
}

/* A slower one adds that. */
static inline uint64_t launch_ns(const struct pass *p, const struct tm_replay_rank *k, uint32_t i,
                                 uint64_t ns)
{
	uint64_t saves, before, factor;
	uint32_t call;

	if (!launches_change(p->s))
		return ns;
	call = k->op[k->owner[i]].call;
	factor = launch_factor(p, k, call);
	ns = loaded_ns(p, k, call, ns);
	saves = launch_saves(p, k, i);
	if (factor <= TM_REPLAY_UNIT)
		return ns > saves ? ns - saves : 0;
	before = scaled(tm_replay_call_ns(k, call), p->level ? k->slope : TM_REPLAY_UNIT);
	before = p->level == 2 ? 0 : before;
	return plus(ns, scaled(before, factor) - before);
}

/* Does the idle lane of an operation take longer to begin than one at work?  Where the trace does
 * not tell, as the least or the most of the time is, and else as the little says that it tells;
 * with nothing, a lane that runs one after the other for certain does. */
static inline bool is_roused(const struct tm_replay_rank *k, enum way way, uint32_t op, bool early)
{
	if (k->rousing == ROUSES_NOT)
		return false;
	if (k->rousing == ROUSES_OPEN && way == WAY_LIKELY)
		return k->roused != k->alike ? k->roused > k->alike
		                             : !k->lane[k->op[op].lane].level;
	return k->rousing == ROUSES || way == (early ? WAY_LEAST : WAY_MOST);
}

/* Was the lane at work when the operation of an instant was submitted at `sub`, as recorded? */
static inline bool was_busy(const struct tm_replay_rank *k, uint32_t i, struct edges all, int level,
                            uint64_t sub)
{
	for (uint32_t n = all.from; n < all.to; n++) {
		const struct edge *e = &k->edge[n];

		/* One let go a moment early: the one before ends after the start. */
		if (edge_at(e, level) && (edge_kind(e) == EDGE_JIT ||
		                          (edge_kind(e) == EDGE_FIFO && k->t[e->pred] > sub)))
			return true;
	}
	return k->prev[i] != NONE && k->t[k->prev[i]] > sub;
}

/* May several of its edges have bound? */
static inline bool is_open(const struct tm_replay_rank *k, struct edges all)
{
	return all.from < all.to && k->edge[all.from].meta >> ANY_AT & 1;
}

/* An instant that waits for nothing. */
static inline uint64_t first_ns(const struct pass *p, const struct tm_replay_rank *k, uint32_t i)
{
	uint64_t t = k->t[i];

	/* What a rank did before its first call is not in the trace: it may be of the host. */
	if (!i && node_kind(k, 0) < NODE_START &&
	    p->way == (p->s->host < TM_REPLAY_UNIT ? WAY_LEAST : WAY_MOST))
		return plus(p->r->lo, scaled(t - p->r->lo, p->s->host));
	return t;
}

#endif
