/* SPDX-License-Identifier: MIT
 * From calls to their operations, and along lanes. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/tracks.h"
#include "replay/usual.h"

#include <stdlib.h>

enum { HELD_NS = 3000, JIT_NS = 1000, JIT_PART = 4 };

void tm_replay_edge(struct making *m, uint32_t node, uint32_t pred, enum edge_kind kind,
                    uint64_t est, unsigned mask)
{
	if (!m->r->all->likely || mask >> LIKELY & 1)
		tm_replay_any_edge(m, node, pred, kind, est, mask);
}

void tm_replay_any_edge(struct making *m, uint32_t node, uint32_t pred, enum edge_kind kind,
                        uint64_t est, unsigned mask)
{
	if (m->failed || !tm_grow_array(&m->v, &m->cap, m->n + 1, sizeof *m->v)) {
		m->failed = true;
		return;
	}
	m->v[m->n++] = (struct loose) { .node = node,
		                        .e = { .pred = pred,
		                               .est = est < UINT32_MAX ? (uint32_t)est : UINT32_MAX,
		                               .meta = (uint32_t)kind | mask << MASK_AT } };
}

/* Operations that no later one has waited for yet, the one that ends first on top. */
struct open {
	uint32_t *v;
	size_t n;
};

static bool ends_before(const struct tm_replay_rank *r, uint32_t a, uint32_t b)
{
	return r->op[a].end != r->op[b].end ? r->op[a].end < r->op[b].end : a < b;
}

static void open_add(const struct tm_replay_rank *r, struct open *o, uint32_t op)
{
	size_t i = o->n++;

	for (; i && ends_before(r, op, o->v[(i - 1) / 2]); i = (i - 1) / 2)
		o->v[i] = o->v[(i - 1) / 2];
	o->v[i] = op;
}

static uint32_t open_take(const struct tm_replay_rank *r, struct open *o)
{
	uint32_t top = o->v[0], last = o->v[--o->n];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < o->n; i = child) {
		if (child + 1 < o->n && ends_before(r, o->v[child + 1], o->v[child]))
			child++;
		if (!ends_before(r, o->v[child], last))
			break;
		o->v[i] = o->v[child];
	}
	o->v[i] = last;
	return top;
}

/* The edge from the end of `before`; where nothing ever queued the gap is assumed, and another at
 * each level. */
static void add_fifo(struct making *m, uint32_t op, uint32_t before, int level, uint64_t launch)
{
	const struct tm_replay_rank *r = m->r;
	const uint64_t assumed[LEVELS] = { 0, ASSUMED_NS, launch };
	uint32_t node = op_starts(r, op), pred = op_ends(r, before);

	if (r->gaps.n)
		tm_replay_edge(m, node, pred, EDGE_FIFO, tm_replay_gap(r, op), mask_from(level));
	else
		for (int g = level; g < LEVELS; g++)
			tm_replay_edge(m, node, pred, EDGE_FIFO, assumed[g], 1u << g);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* From the start of its call to an operation, `usual` as a rule.  One whose call takes so much
 * longer is submitted later: the call loads the kernel, makes room for its registers in memory,
 * waits for a lock, or as the first copy for the runtime. */
static uint64_t launch_of(const struct tm_replay_rank *r, uint32_t op, uint64_t usual)
{
	const uint32_t call = r->op[op].call;
	const uint64_t length = r->call[call].end - r->call[call].start;
	const enum call_does d = call_does(r, call);
	const bool takes_long = tm_replay_takes_long(length, usual);

	if (d != DOES_LAUNCH && d != DOES_GRAPH)
		return takes_long && r->call[call].ops == op ? usual + tm_replay_before_own(r, call)
		                                             : usual;
	return takes_long || tm_replay_loads(r, call) ? later(usual, tm_replay_submits(r, op))
	                                              : usual;
}

static void add_op(struct making *m, struct open *open, uint32_t op)
{
	struct tm_replay_rank *r = m->r;
	const struct tm_replay_op *o = &r->op[op];
	const struct lane *l = &r->lane[o->lane];
	uint32_t before = op_before(r, op), node = op_starts(r, op);
	uint64_t launch = o->call != NONE ? tm_replay_launch(r, op) : r->launch.median;
	uint64_t ready = 0, over;
	int level = l->level;

	if (o->call != NONE) {
		launch = launch_of(r, op, launch);
		ready = plus(r->call[o->call].start, launch);
		tm_replay_edge(m, node, call_starts(o->call), EDGE_LAUNCH, launch, MASK_ALL);
		if (o->start > plus(ready, HELD_NS))
			level = 0;
	}
	if (before != NONE) {
		const struct tm_replay_op *b = &r->op[before];

		ready = later(ready, b->start);
		over = b->end > o->start ? b->end - o->start : 0;
		if (over && over <= JIT_NS && over <= (b->end - b->start) / JIT_PART) {
			tm_replay_edge(m, node, op_starts(r, before), EDGE_JIT, over,
			               mask_from(level));
			ready = o->start;
		}
	}
	while (open->n && r->op[open->v[0]].end <= o->start) {
		uint32_t done = open_take(r, open);

		add_fifo(m, op, done, level, launch);
		ready = later(ready, plus(r->op[done].end, tm_replay_gap(r, op)));
	}
	/* Nothing else that it could be late for. */
	if (o->call == NONE && before == NONE)
		ready = o->start;
	m->ready[op] = ready;
	if (l->has_id)
		open_add(r, open, op);
	if (o->call == NONE)
		tm_replay_edge(m, node, NONE, EDGE_UNTRACED, 0, mask_from(2));
	if (r->unmatched && r->unmatched[op / 8] >> op % 8 & 1)
		tm_replay_edge(m, op_ends(r, op), NONE, EDGE_UNTRACED, 0, mask_from(1));
}

bool tm_replay_lanes(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	struct open open = { .v = tm_array((size_t)r->nop + 1, sizeof *open.v) };

	for (uint32_t i = 0; open.v && i < r->nlane; i++) {
		open.n = 0;
		for (uint32_t op = r->lane[i].from; op < r->lane[i].to; op++)
			add_op(m, &open, op);
	}
	free(open.v);
	return open.v && !m->failed;
}
