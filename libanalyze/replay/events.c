/* SPDX-License-Identifier: MIT
 * Waits of operations for those of other lanes, which no row tells of: from what was seen, from the
 * order of calls, and from what a graph holds. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/sort.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 4, STEPS = 256 };

/* Operations of each agent by end. */
struct ends {
	uint32_t *v;     /* of equal ends in the order of operations */
	uint32_t *agent; /* of each lane: its agent, from 0 */
	uint32_t *from;  /* where those of an agent begin */
	uint32_t *lanes; /* how many an agent has */
	uint32_t *at; /* of each lane: how many had ended when its last operation that was asked for
	                  * began; those of a lane are asked for in order, so the next is near */
	uint32_t agents;
};

static void ends_fini(struct ends *e)
{
	free(e->v);
	free(e->agent);
	free(e->from);
	free(e->lanes);
	free(e->at);
}

/* Before instants are in order. */
static bool sort_ends(struct ends *e, const struct tm_replay_rank *r)
{
	struct key *v = tm_array(2 * (size_t)r->nop + 1, sizeof *v);

	for (uint32_t i = 0; v && i < r->nop; i++)
		v[i] = (struct key) { r->op[i].end, i };
	for (uint32_t a = 0; v && a < e->agents; a++)
		tm_replay_sort(v + e->from[a], v + r->nop, e->from[a + 1] - e->from[a]);
	for (uint32_t i = 0; v && i < r->nop; i++)
		e->v[i] = (uint32_t)v[i].b;
	free(v);
	return v != NULL;
}

static int by_number(const void *pa, const void *pb)
{
	const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

/* Once they are: of those at one time some are of another tier, and so come later. */
static bool take_ends(struct ends *e, const struct tm_replay_rank *r)
{
	uint32_t *n = tm_array((size_t)e->agents + 1, sizeof *n);

	if (!n)
		return false;
	memcpy(n, e->from, e->agents * sizeof *n);
	for (uint32_t i = 0; i < r->n; i++)
		if (node_kind(r, i) == NODE_END)
			e->v[n[e->agent[r->op[r->owner[i]].lane]]++] = r->owner[i];
	free(n);
	for (uint32_t i = 0, end; i < r->nop; i = end) {
		const struct tm_replay_op *o = &r->op[e->v[i]];
		bool descends = false;

		for (end = i + 1; end < r->nop && r->op[e->v[end]].end == o->end; end++)
			descends |= e->v[end] < e->v[end - 1];
		if (descends)
			qsort(e->v + i, end - i, sizeof *e->v, by_number);
	}
	return true;
}

/* Lanes are in order of their agents, and so are operations. */
static bool ends_init(struct ends *e, const struct tm_replay_rank *r)
{
	e->v = tm_array((size_t)r->nop + 1, sizeof *e->v);
	e->agent = calloc((size_t)r->nlane + 1, sizeof *e->agent);
	e->from = calloc((size_t)r->nlane + 2, sizeof *e->from);
	e->lanes = calloc((size_t)r->nlane + 1, sizeof *e->lanes);
	e->at = calloc((size_t)r->nlane + 1, sizeof *e->at);
	if (!e->v || !e->agent || !e->from || !e->lanes || !e->at)
		return false;
	for (uint32_t i = 0; i < r->nlane; i++) {
		if (i && !same_gpu(&r->lane[i - 1], &r->lane[i]))
			e->from[++e->agents] = r->lane[i].from;
		e->agent[i] = e->agents;
		e->lanes[e->agents]++;
	}
	e->from[++e->agents] = r->nop;
	return r->owner ? take_ends(e, r) : sort_ends(e, r);
}

/* Operations of other lanes that one may have waited for. */
struct candidates {
	uint32_t op[KEPT];
	unsigned n;
	uint32_t likely; /* or NONE; it need not be among them */
	uint32_t graph;  /* the call that launches the graph which lets it wait, or NONE */
	bool inside;     /* of a graph: only what is seen counts */
};

/* Of e->v[first..hi) those up to which place had ended at `start`; looked for from where the last
 * operation of the lane stood. */
static uint32_t ended_by(struct ends *e, const struct tm_replay_op *op, uint32_t lane,
                         uint64_t start, uint32_t first, uint32_t hi)
{
	uint32_t lo = e->at[lane] > first ? e->at[lane] : first;

	if (lo > first && op[e->v[lo - 1]].end > start) {
		hi = lo - 1;
		lo = first;
	}
	for (uint32_t step = 1; lo + step < hi; step *= 2) {
		if (op[e->v[lo + step]].end > start) {
			hi = lo + step;
			break;
		}
		lo += step;
	}
	TM_BISECT(lo, hi, mid, op[e->v[mid]].end <= start);
	e->at[lane] = lo;
	return lo;
}

/* What is looked for: operations that were submitted not after `limit` and ended not before `from`,
 * `most` of them. */
struct search {
	uint64_t limit, from;
	unsigned most;
};

/* Keep it among those that ended last, the last first. */
static void keep(const struct tm_replay_rank *r, unsigned most, uint32_t other,
                 struct candidates *c)
{
	unsigned at = c->n < most ? c->n++ : most - 1;

	for (; at && r->op[c->op[at - 1]].end < r->op[other].end; at--)
		c->op[at] = c->op[at - 1];
	c->op[at] = other;
}

/* Of each other lane of an agent the last; of the `most` that ended last. */
static void find_on(const struct tm_replay_rank *r, struct ends *e, uint32_t op, uint32_t agent,
                    const struct search *s, struct candidates *c)
{
	const struct tm_replay_op *o = &r->op[op];
	const uint32_t first = e->from[agent], to = e->from[agent + 1];
	const uint32_t process = o->call != NONE ? r->thread[r->call[o->call].thread].process
	                                         : NONE;
	const bool own = agent == e->agent[o->lane];
	const uint32_t others = e->lanes[agent] - own, most = others < s->most ? others : s->most;
	uint32_t lane[KEPT], n = 0, steps = 0, i = first, hi = to;

	if (own)
		i = ended_by(e, r->op, o->lane, o->start, first, to);
	else
		TM_BISECT(i, hi, mid, r->op[e->v[mid]].end <= o->start);
	for (; i > first && n < most && steps < STEPS; i--, steps++) {
		uint32_t other = e->v[i - 1], of = r->op[other].lane;
		bool known = of == o->lane || lane_of_others(&r->lane[of], process);

		if (r->op[other].end < s->from ||
		    (c->n == s->most && r->op[other].end <= r->op[c->op[c->n - 1]].end))
			return;
		for (unsigned k = 0; k < n; k++)
			known |= lane[k] == of;
		if (known || op_sub(r, other) > s->limit)
			continue;
		lane[n++] = of;
		keep(r, s->most, other, c);
	}
}

/* The last ones of other lanes, that ended not after the start: of its agent, and of others of its
 * process if a call let it wait for whatever there is. */
static void find_candidates(const struct tm_replay_rank *r, struct ends *e, uint32_t op, bool far,
                            const struct search *s, struct candidates *c)
{
	const uint32_t own = e->agent[r->op[op].lane];

	find_on(r, e, op, own, s, c);
	for (uint32_t a = 0; far && a < e->agents; a++)
		if (a != own)
			find_on(r, e, op, a, s, c);
}

/* The wait is what the next launch of its thread waits in, for what that thread launched last
 * before an event was recorded. */
static uint32_t likely_of(const struct making *m, uint32_t op, uint32_t wait)
{
	const struct tm_replay_rank *r = m->r;
	const struct tm_replay_op *o = &r->op[op];
	uint32_t call = o->call, thread = r->call[call].thread, lo, hi, process, at, other;

	if (r->call[wait].thread != thread || wait >= call)
		return NONE;
	if (m->latest[call - 1] != NONE && m->latest[call - 1] > wait)
		return NONE;
	process = r->thread[thread].process;
	lo = r->record_of[process];
	hi = r->record_of[process + 1];
	TM_BISECT(lo, hi, mid, r->call[r->record[mid]].start < r->call[wait].start);
	if (lo == r->record_of[process] && lo != r->record_of[process + 1])
		return NONE;
	at = wait;
	/* Of the thread itself, whoever recorded; just before, if that is not traced. */
	if (lo != r->record_of[process]) {
		lo = r->record[lo - 1];
		while (at > r->thread[thread].from && r->call[at - 1].start >= r->call[lo].start)
			at--;
	}
	at = at > r->thread[thread].from ? m->latest[at - 1] : NONE;
	other = at != NONE ? m->last_op[at] : NONE;
	if (other == NONE || r->op[other].lane == o->lane || r->op[other].end > o->start)
		return NONE;
	return other;
}

/* Is it the last one of its graph, on the lane where that begins?  What is captured from streams
 * has to come together there. */
static bool is_join(const struct tm_replay_rank *r, uint32_t op)
{
	const struct tm_replay_op *o = &r->op[op];

	return r->op[r->call[o->call].ops].lane == o->lane &&
	       (op + 1 >= r->lane[o->lane].to || r->op[op + 1].call != o->call);
}

/* Did it begin so late that something else held it back? */
static bool is_late(const struct making *m, uint32_t op)
{
	uint64_t start = m->r->op[op].start, ready = m->ready[op];

	return start > ready && start - ready > SEEN_NS;
}

/* What the operation may wait for; false when it waits for nothing.  A graph of the likely level
 * has no waits that are only possible: an operation that began in time needs no search, and where
 * no other one is likely, all that counts is the last to end, if it was not yet ready then. */
static bool look(const struct making *m, struct ends *e, uint32_t op, struct candidates *c)
{
	const struct tm_replay_rank *r = m->r;
	uint32_t arm = tm_replay_armed(r, op), call = r->op[op].call, before = op_before(r, op);
	bool graph = arm < ARM_ANY && call_does(r, arm) == DOES_GRAPH, seen;

	*c = (struct candidates) { .likely = NONE, .graph = graph ? arm : NONE };
	if (arm == NONE)
		return false;
	if (arm != ARM_ANY && !graph)
		c->likely = likely_of(m, op, arm);
	seen = r->all->likely && !graph && c->likely == NONE;
	if (!r->all->likely || graph || is_late(m, op))
		find_candidates(
		        r, e, op, arm < ARM_ANY && !graph,
		        &(struct search) { arm == ARM_ANY ? op_sub(r, op) : r->call[arm].start,
		                           seen ? m->ready[op] : 0, seen ? 1 : KEPT },
		        c);
	if (!graph)
		return c->n || c->likely != NONE;
	c->inside = call == arm && before != NONE && r->op[before].call == arm && !is_join(r, op);
	return c->n != 0;
}

/* The one that was seen to hold it back, or NONE; `usual`: latency of those seen. */
static uint32_t seen_of(const struct making *m, uint32_t op, const struct candidates *c,
                        uint64_t usual)
{
	const struct tm_replay_rank *r = m->r;
	uint64_t start = r->op[op].start, ready = m->ready[op],
	         near = usual > SEEN_NS ? usual : SEEN_NS;
	uint32_t best = NONE;

	if (!is_late(m, op))
		return NONE;
	for (unsigned i = 0; i < c->n; i++)
		if (r->op[c->op[i]].end > ready &&
		    (best == NONE || r->op[c->op[i]].end > r->op[best].end))
			best = c->op[i];
	if (c->likely != NONE && r->op[c->likely].end > ready &&
	    start - r->op[c->likely].end <= usual + near)
		return c->likely;
	return best;
}

/* The level of an edge from one that is not seen: inside a graph it is no more than possible. */
static int level_of(const struct tm_replay_rank *r, uint32_t other, const struct candidates *c)
{
	bool together = c->graph != NONE && r->op[other].call == c->graph;

	return !c->inside && (other == c->likely || together) ? 1 : 2;
}

/* With a likely one, which of them was seen is decided again, in place, once the usual latency is
 * known: all are stored, at any level. */
static void add_edges(struct making *m, uint32_t op, const struct candidates *c, uint32_t seen)
{
	const struct tm_replay_rank *r = m->r;
	uint32_t node = op_starts(r, op);
	bool listed = false;

	for (unsigned i = 0; i < c->n; i++) {
		uint32_t other = c->op[i];
		unsigned mask = mask_from(other == seen ? 0 : level_of(r, other, c));

		listed |= other == c->likely;
		if (c->likely != NONE)
			tm_replay_any_edge(m, node, op_ends(r, other), EDGE_EVENT, 0, mask);
		else
			tm_replay_edge(m, node, op_ends(r, other), EDGE_EVENT, 0, mask);
	}
	if (c->likely != NONE && !listed)
		tm_replay_edge(m, node, op_ends(r, c->likely), EDGE_EVENT, 0,
		               mask_from(seen == c->likely ? 0 : 1));
}

bool tm_replay_held(const struct tm_replay_rank *r, struct samples *gaps)
{
	struct ends e = { 0 };
	bool ok = true;

	for (uint32_t op = 0; ok && op < r->nop; op++) {
		const struct tm_replay_op *o = &r->op[op];
		uint32_t arm = tm_replay_armed(r, op), before = op_before(r, op);
		struct candidates c = { .likely = NONE };
		uint64_t free;

		if (arm >= ARM_ANY || before == NONE || r->lane[o->lane].overlaps)
			continue;
		free = r->op[before].end;
		/* Those of one graph are there together. */
		if ((free < r->call[o->call].end && r->op[before].call != o->call) ||
		    free > o->start)
			continue;
		ok = r->nlane < 2 || e.v || ends_init(&e, r);
		if (ok && r->nlane > 1)
			find_candidates(r, &e, op, call_does(r, arm) != DOES_GRAPH,
			                &(struct search) { r->call[arm].start, 0, 1 }, &c);
		/* They are found by end, the last first. */
		if (!c.n || r->op[c.op[0]].end <= free)
			tm_samples_add(gaps, 0, op_copies(r, op), o->start - free);
	}
	ends_fini(&e);
	return ok;
}

/* The edges of operations of which it depends on the usual latency what was seen to hold them
 * back; where those of each begin. */
struct again {
	uint32_t op;
	size_t at;
};

/* Now that the usual latency is known: of all edges from `first` on, and what it decides. */
static void settle(struct making *m, struct ends *e, size_t first, const struct again *v, size_t n)
{
	const uint32_t est = m->r->event < UINT32_MAX ? (uint32_t)m->r->event : UINT32_MAX;
	const size_t end = m->n;
	struct candidates c;

	for (size_t i = 0; i < n; i++) {
		if (!look(m, e, v[i].op, &c))
			continue;
		/* There are as many edges as before, in the same order. */
		m->n = v[i].at;
		add_edges(m, v[i].op, &c, seen_of(m, v[i].op, &c, m->r->event));
	}
	m->n = end;
	for (size_t i = first; i < end; i++)
		m->v[i].e.est = est;
}

bool tm_replay_events(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	struct ends e = { 0 };
	struct again *again = NULL;
	uint64_t *lag = NULL;
	size_t n = 0, cap = 0, nagain = 0, again_cap = 0, first = m->n;
	struct candidates c;
	bool ok = r->nlane < 2 || ends_init(&e, r);

	r->event = SEEN_NS;
	for (uint32_t op = 0; ok && r->nlane > 1 && op < r->nop; op++) {
		uint32_t seen;

		if (!look(m, &e, op, &c))
			continue;
		seen = seen_of(m, op, &c, SEEN_NS);
		if (c.likely != NONE) {
			ok = tm_grow_array(&again, &again_cap, nagain + 1, sizeof *again);
			if (ok)
				again[nagain++] = (struct again) { op, m->n };
		}
		if (ok && seen != NONE) {
			ok = tm_grow_array(&lag, &cap, n + 1, sizeof *lag);
			if (ok)
				lag[n++] = r->op[op].start - r->op[seen].end;
		}
		add_edges(m, op, &c, seen);
	}
	if (n)
		r->event = tm_replay_median(lag, n);
	if (ok && !m->failed)
		settle(m, &e, first, again, r->event == SEEN_NS ? 0 : nagain);
	free(again);
	free(lag);
	ends_fini(&e);
	return ok && !m->failed;
}
