/* SPDX-License-Identifier: MIT
 * The instants of each thread, one after the other, and what a thread awaits of another. */
#include "replay/lanes.h"

#include "base/base.h"
#include "replay/order.h"
#include "replay/sort.h"
#include "replay/tracks.h"

#include <stdlib.h>

enum { PAUSE_NS = 20000, PAUSE_TIMES = 20, THREAD_NS = 5000 };
/* So long a pause may be one. */
enum { SHORT_NS = 3000, SHORT_TIMES = 4 };
/* What tells that a thread waits for another: of pauses so long, so many, and more than so many
 * times as many as by chance, end so shortly after its calls. */
enum { LONG_NS = 50000, AFTER_NS = 20000, LEAST = 3, BY_CHANCE = 4 };

/* Calls of a thread that are open, the innermost on top: the one that ends first, of those the one
 * that began last. */
struct stack {
	uint32_t *v;
	size_t n, cap;
};

static bool inner(const struct tm_replay_rank *r, uint32_t a, uint32_t b)
{
	return r->call[a].end != r->call[b].end ? r->call[a].end < r->call[b].end : a > b;
}

static bool push(const struct tm_replay_rank *r, struct stack *s, uint32_t call)
{
	size_t i = s->n;

	if (!tm_grow_array(&s->v, &s->cap, s->n + 1, sizeof *s->v))
		return false;
	for (s->n++; i && inner(r, call, s->v[(i - 1) / 2]); i = (i - 1) / 2)
		s->v[i] = s->v[(i - 1) / 2];
	s->v[i] = call;
	return true;
}

static void pop(const struct tm_replay_rank *r, struct stack *s)
{
	uint32_t last = s->v[--s->n];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < s->n; i = child) {
		if (child + 1 < s->n && inner(r, s->v[child + 1], s->v[child]))
			child++;
		if (!inner(r, s->v[child], last))
			break;
		s->v[i] = s->v[child];
	}
	s->v[i] = last;
}

/* Where the chain of a thread is. */
struct chain {
	uint32_t last; /* instant, NONE at first */
	uint64_t t;
	uint8_t tier;
};

static void add_instant(struct making *m, struct chain *c, uint32_t node, uint64_t t, uint8_t tier,
                        enum node_kind kind, uint32_t owner)
{
	if (c->last != NONE && c->t == t && c->tier > tier)
		tier = c->tier;
	m->t[node] = t;
	m->tier[node] = tier;
	m->kind[node] = (uint8_t)kind;
	m->owner[node] = owner;
	m->prev[node] = c->last;
	*c = (struct chain) { node, t, tier };
}

static void end_call(struct making *m, struct chain *c, struct stack *s)
{
	uint32_t call = s->v[0];

	add_instant(m, c, call_ends(call), m->r->call[call].end,
	            tm_replay_ends_waiting(m, call) ? TIER_WAIT : TIER_HOST, NODE_BACK, call);
	pop(m->r, s);
}

static bool chain_thread(struct making *m, const struct thread *t, struct stack *s)
{
	struct tm_replay_rank *r = m->r;
	struct chain c = { .last = NONE };

	for (uint32_t i = t->from; i < t->to; i++) {
		uint64_t start = r->call[i].start;

		while (s->n && r->call[s->v[0]].end <= start)
			end_call(m, &c, s);
		r->call[i].enclosing = s->n ? s->v[0] : NONE;
		add_instant(m, &c, call_starts(i), start, TIER_HOST, s->n ? NODE_INNER : NODE_GAP,
		            s->n ? s->v[0] : i);
		if (!push(r, s, i))
			return false;
	}
	while (s->n)
		end_call(m, &c, s);
	return true;
}

bool tm_replay_chains(struct making *m)
{
	struct stack s = { 0 };
	bool ok = true;

	for (uint32_t i = 0; ok && i < m->r->nthread; i++)
		ok = chain_thread(m, &m->r->thread[i], &s);
	free(s.v);
	return ok;
}

/* ---- pauses ---- */

/* The gap before a call, if its thread was in a call before. */
static bool gap_of(const struct making *m, uint32_t call, uint64_t *from, uint64_t *to)
{
	uint32_t node = call_starts(call);

	if (m->kind[node] != NODE_GAP || m->prev[node] == NONE)
		return false;
	*from = m->t[m->prev[node]];
	*to = m->t[node];
	return true;
}

/* What is usual for each thread. */
static bool find_pauses(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	uint64_t *v = tm_array((size_t)r->ncall + 1, sizeof *v), from, to;

	for (uint32_t i = 0; v && i < r->nthread; i++) {
		size_t n = 0;

		for (uint32_t c = r->thread[i].from; c < r->thread[i].to; c++) {
			if (!gap_of(m, c, &from, &to))
				continue;
			v[n++] = to - from;
			if (to - from > r->counts.pause) {
				r->counts.pause = to - from;
				r->counts.pause_rank = r->rank;
			}
		}
		r->thread[i].pause = tm_replay_median(v, n);
	}
	free(v);
	return v != NULL;
}

/* One that makes a call now and then has nothing but pauses: what is usual is that of another
 * thread of its process [from, to). */
static void judge_pauses(struct tm_replay_rank *r, uint32_t from, uint32_t to)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t t = from; t < to; t++)
		if (r->thread[t].pause && r->thread[t].pause < least)
			least = r->thread[t].pause;
	for (uint32_t t = from; t < to; t++)
		if (r->thread[t].pause > PAUSE_NS)
			r->thread[t].pause = least;
}

void tm_replay_pause(struct pauses *p, uint64_t from, uint64_t to, uint64_t calls, uint64_t last)
{
	const uint64_t ns = to - from;

	if (ns < LONG_NS)
		return;
	p->n++;
	p->ns += ns;
	p->after += calls && tm_replay_just_after(last, to);
	p->near += calls < ns / AFTER_NS ? calls * AFTER_NS : ns;
}

bool tm_replay_awaits(const struct pauses *p)
{
	return p->after >= LEAST && p->after >= p->n - p->after &&
	       (tm_u128)p->after * p->ns >= (tm_u128)p->n * p->near * BY_CHANCE;
}

bool tm_replay_just_after(uint64_t last, uint64_t to)
{
	return to - last <= AFTER_NS;
}

/* Ends of the calls of a process, n of them: how many are not after that time. */
static size_t ended_by(const struct key *v, size_t n, uint64_t time)
{
	size_t lo = 0, hi = n;

	TM_BISECT(lo, hi, mid, v[mid].a <= time);
	return lo;
}

static bool awaits(const struct making *m, const struct thread *t, const struct key *v, size_t n)
{
	struct pauses p = { 0 };
	uint64_t from, to;

	for (uint32_t c = t->from; c < t->to; c++) {
		size_t ended;

		if (!gap_of(m, c, &from, &to) || to - from < LONG_NS)
			continue;
		ended = ended_by(v, n, to);
		tm_replay_pause(&p, from, to, ended - ended_by(v, n, from), v[ended - 1].a);
	}
	return tm_replay_awaits(&p);
}

/* Long pauses of a thread, in which another one of its process ended a call. */
static void pauses_of(struct making *m, uint32_t thread, const struct key *v, size_t n)
{
	const struct tm_replay_rank *r = m->r;
	const struct thread *t = &r->thread[thread];
	const bool waits = awaits(m, t, v, n);
	uint64_t from, to;

	for (uint32_t c = t->from; c < t->to; c++) {
		uint32_t node = call_starts(c), other;
		size_t ended;
		bool likely;

		if (!gap_of(m, c, &from, &to) || to - from <= SHORT_NS ||
		    (to - from) / SHORT_TIMES < t->pause)
			continue;
		ended = ended_by(v, n, to);
		other = ended ? (uint32_t)v[ended - 1].b : NONE;
		if (other == NONE || r->call[other].end <= from || r->call[other].thread == thread)
			continue;
		if (to - from <= PAUSE_NS || (to - from) / PAUSE_TIMES < t->pause) {
			tm_replay_edge(m, node, call_ends(other), EDGE_THREAD, t->pause, 0);
			continue;
		}
		likely = waits && tm_replay_just_after(r->call[other].end, to);
		tm_replay_edge(m, node, m->prev[node], EDGE_SEG, 0, mask_from(likely ? 2 : 1));
		tm_replay_edge(m, node, m->prev[node], EDGE_OWN, t->pause, likely ? 3 : 1);
		tm_replay_edge(m, node, call_ends(other), EDGE_THREAD, THREAD_NS,
		               likely ? MASK_ALL : 1 | 1 << 2);
		m->prev[node] = NONE;
	}
}

bool tm_replay_pauses(struct making *m)
{
	struct tm_replay_rank *r = m->r;
	struct key *v;
	bool ok = find_pauses(m);

	if (!ok || r->nthread == r->nprocess)
		return ok;
	v = tm_array(2 * (size_t)r->ncall + 1, sizeof *v);
	for (uint32_t i = 0, end; v && i < r->nthread; i = end) {
		uint32_t first = r->thread[i].from, n;

		for (end = i + 1;
		     end < r->nthread && r->thread[end].process == r->thread[i].process;)
			end++;
		n = r->thread[end - 1].to - first;
		for (uint32_t c = 0; c < n; c++)
			v[c] = (struct key) { r->call[first + c].end, first + c };
		tm_replay_sort(v, v + r->ncall, n);
		judge_pauses(r, i, end);
		for (uint32_t t = i; end - i > 1 && t < end; t++)
			pauses_of(m, t, v, n);
	}
	free(v);
	return v && !m->failed;
}
