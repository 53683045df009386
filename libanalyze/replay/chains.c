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
/* What tells that a thread waits for another: of pauses so long, so many end so shortly after its
 * calls, and so many times as many as by chance; or of so many that would not, so many times
 * fewer. */
enum { LONG_NS = 50000, AFTER_NS = 20000, LEAST = 3, BY_CHANCE = 4, TELLING = 6 };
/* Names of calls that are told apart. */
enum { PLACES = 16 };

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
	/* How many would do so by chance, and would not, times p->ns. */
	const tm_u128 chance = (tm_u128)p->n * p->near, other = (tm_u128)p->n * (p->ns - p->near);
	const tm_u128 after = (tm_u128)p->after * p->ns, rest = (tm_u128)p->n * p->ns - after;

	if (p->after < LEAST)
		return false;
	return (after >= rest && after >= chance * BY_CHANCE) ||
	       (other >= (tm_u128)p->ns * TELLING && rest * BY_CHANCE <= other);
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

/* Long pauses of a thread, and by the name of the call that ends them: it waits before some. */
struct before_calls {
	struct pauses all;
	struct {
		uint32_t name;
		struct pauses p;
	} v[PLACES];
	unsigned n;
};

/* Those before calls of that name; NULL when there are too many names. */
static struct pauses *before_calls(struct before_calls *b, uint32_t name)
{
	for (unsigned i = 0; i < b->n; i++)
		if (b->v[i].name == name)
			return &b->v[i].p;
	if (b->n == PLACES)
		return NULL;
	b->v[b->n].name = name;
	b->v[b->n].p = (struct pauses) { 0 };
	return &b->v[b->n++].p;
}

static void see_pauses(const struct making *m, const struct thread *t, const struct key *v,
                       size_t n, struct before_calls *b)
{
	uint64_t from, to;

	b->n = 0;
	b->all = (struct pauses) { 0 };
	for (uint32_t c = t->from; c < t->to; c++) {
		struct pauses *p;
		size_t ended, calls;

		if (!gap_of(m, c, &from, &to) || to - from < LONG_NS)
			continue;
		p = before_calls(b, m->r->call[c].name);
		ended = ended_by(v, n, to);
		calls = ended - ended_by(v, n, from);
		tm_replay_pause(&b->all, from, to, calls, v[ended - 1].a);
		if (p)
			tm_replay_pause(p, from, to, calls, v[ended - 1].a);
	}
}

/* Is that pause before a call one in which the thread waited for another? */
static bool was_wait(const struct making *m, struct before_calls *b, uint32_t call, uint64_t last,
                     uint64_t to)
{
	const struct pauses *p = before_calls(b, m->r->call[call].name);

	return tm_replay_just_after(last, to) &&
	       (tm_replay_awaits(&b->all) || (p && tm_replay_awaits(p)));
}

/* Long pauses of a thread, in which another one of its process ended a call. */
static void pauses_of(struct making *m, uint32_t thread, const struct key *v, size_t n)
{
	const struct tm_replay_rank *r = m->r;
	const struct thread *t = &r->thread[thread];
	struct before_calls before;
	uint64_t from, to;

	see_pauses(m, t, v, n, &before);
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
		likely = was_wait(m, &before, c, r->call[other].end, to);
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
