/* SPDX-License-Identifier: MIT */
#include "replay/plain/plain.h"

#include "base/base.h"
#include "replay/share.h"
#include "replay/sort.h"
#include "replay/weights.h"

#include <stdlib.h>
#include <string.h>

/* Each kernel that was held back looks at all queues. */
enum { MOST_LANES = 64 };

/* A kernel, and that of another lane that it waited for; NONE, or FIRST of its lane. */
struct begun {
	uint32_t op, event;
};

#define FIRST (NONE - 1)

/* All kernels, by start. */
struct weave {
	struct begun *v;
	uint64_t usual; /* latency of what waited for another lane */
};

void tm_replay_weave_free(struct weave *w)
{
	if (w)
		free(w->v);
	free(w);
}

/* ---- is it one? ---- */

/* Does the lane run its kernels one after the other, each of some length? */
static bool is_apart(const struct tm_replay_rank *k, const struct lane *l)
{
	for (uint32_t op = l->from; op < l->to; op++)
		if (k->op[op].end <= k->op[op].start ||
		    (op > l->from && k->op[op].start <= k->op[op - 1].end))
			return false;
	return true;
}

/* Are there no kernels whose end may depend on another GPU or rank? */
static bool is_alone(const struct tm_replay_rank *k)
{
	const struct tm_replay_rows *rows = k->all->rows;
	const bool one = same_gpu(&k->lane[0], &k->lane[k->nlane - 1]);

	for (uint32_t name = 0; name < rows->names.n; name++)
		if (rows->comm[name] && (!one || strstr(rows->names.v[name].text, "SendRecv")))
			return false;
	return !rows->comms.n && !rows->comms.nown &&
	       !rows->rank[tm_groups_find(&rows->ranks, &k->rank)].noutside;
}

bool tm_replay_can_weave(const struct tm_replay_rank *k)
{
	if (k->ncall || !k->nop || k->nlane > MOST_LANES || !is_alone(k))
		return false;
	for (uint32_t i = 0; i < k->nlane; i++)
		if (!k->lane[i].has_id || !is_apart(k, &k->lane[i]))
			return false;
	for (uint32_t op = 0; op < k->nop; op++)
		if (op_copies(k, op))
			return false;
	return true;
}

/* ---- what each kernel waited for ---- */

/* Of other lanes of its agent [from, to) the kernel that ended last before it, after `ready`; of
 * equal ends that of the last lane.  last[]: of each lane the last that began. */
static uint32_t event_of(const struct tm_replay_rank *k, uint32_t op, uint64_t ready,
                         const uint32_t *last, uint32_t from, uint32_t to)
{
	const struct tm_replay_op *o = &k->op[op];
	uint32_t best = NONE;

	for (uint32_t l = from; l < to; l++) {
		uint32_t other = last[l];

		if (l == o->lane || other == NONE)
			continue;
		if (k->op[other].end > o->start)
			other = other > k->lane[l].from ? other - 1 : NONE;
		if (other != NONE && k->op[other].end > ready &&
		    (best == NONE || k->op[other].end >= k->op[best].end))
			best = other;
	}
	return best;
}

/* The first lane of the agent of each lane, and the one behind its last. */
static void find_agents(const struct tm_replay_rank *k, uint32_t *from, uint32_t *to)
{
	for (uint32_t i = 0, end; i < k->nlane; i = end)
		for (end = i; end < k->nlane && same_gpu(&k->lane[i], &k->lane[end]); end++)
			from[end] = i;
	for (uint32_t i = k->nlane; i; i--)
		to[i - 1] = i < k->nlane && from[i] == from[i - 1] ? to[i] : i;
}

static bool find_events(const struct tm_replay_rank *k, struct weave *w)
{
	uint32_t last[MOST_LANES], from[MOST_LANES], to[MOST_LANES];
	uint64_t *lag = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < k->nlane; i++)
		last[i] = NONE;
	find_agents(k, from, to);
	for (uint32_t i = 0; i < k->nop; i++) {
		const uint32_t op = w->v[i].op, lane = k->op[op].lane;
		const uint64_t start = k->op[op].start;
		uint32_t event = last[lane] == NONE ? FIRST : NONE;

		if (event != FIRST) {
			const uint64_t ready = k->op[last[lane]].end + ASSUMED_NS;

			if (start > ready && start - ready > SEEN_NS)
				event = event_of(k, op, ready, last, from[lane], to[lane]);
		}
		w->v[i].event = event;
		last[lane] = op;
		if (event >= FIRST)
			continue;
		if (!tm_grow_array(&lag, &cap, n + 1, sizeof *lag)) {
			free(lag);
			return false;
		}
		lag[n++] = start - k->op[event].end;
	}
	w->usual = n ? tm_replay_median(lag, n) : SEEN_NS;
	free(lag);
	return true;
}

bool tm_replay_weave(struct tm_replay *r)
{
	const struct tm_replay_rank *k = r->rank[0];
	struct key *key = tm_array(2 * (size_t)k->nop + 1, sizeof *key);

	r->weave = calloc(1, sizeof *r->weave);
	if (r->weave)
		r->weave->v = tm_array((size_t)k->nop + 1, sizeof *r->weave->v);
	if (!key || !r->weave || !r->weave->v) {
		free(key);
		return false;
	}
	for (uint32_t i = 0; i < k->nop; i++)
		key[i] = (struct key) { k->op[i].start, i };
	tm_replay_sort(key, key + k->nop, k->nop);
	for (uint32_t i = 0; i < k->nop; i++)
		r->weave->v[i].op = (uint32_t)key[i].b;
	free(key);
	return find_events(k, r->weave);
}

/* ---- scenarios ---- */

struct run {
	const struct tm_replay_job *job;
	struct share share;
};

/* When kernels begin and end. */
struct times {
	uint64_t *start, *end, last;
	uint64_t differ; /* bits in which any is not what was recorded */
};

static void go(const struct tm_replay_rank *k, const struct weave *w, const struct pass *p,
               struct times *t)
{
	const bool blind = p->s->blind;
	const struct tm_replay_op *v = k->op;
	uint64_t last = 0, differ = 0;

	for (uint32_t i = 0; i < k->nop; i++) {
		const uint32_t op = w->v[i].op, event = w->v[i].event;
		const uint64_t start = v[op].start;
		uint64_t at = start, end;

		if (event == NONE) {
			at = plus(t->end[op - 1], blind ? ASSUMED_NS : start - v[op - 1].end);
		} else if (event != FIRST) {
			at = plus(t->end[op - 1], ASSUMED_NS);
			if (t->end[event] > at)
				at = plus(t->end[event], blind ? w->usual : start - v[event].end);
		}
		/* Most kernels take as long as they did. */
		end = p->beside || p->touched[v[op].name] ? op_ns(p, k, op, 0) : v[op].end - start;
		end = plus(at, end);
		differ |= (at ^ start) | (end ^ v[op].end);
		last = end > last ? end : last;
		t->start[op] = at;
		t->end[op] = end;
	}
	t->last = last;
	t->differ = differ;
}

/* What kernels take beside others, from where they begin: in ns[].  True when it is as before. */
static bool find_lengths(const struct run *run, struct pass *p, const struct times *t,
                         struct share_machine *m, uint64_t *ns, uint64_t *was)
{
	const struct tm_replay_rank *k = p->r->rank[0];
	struct pass plain = *p;

	plain.beside = NULL;
	for (uint32_t op = 0; op < k->nop; op++) {
		const uint64_t now = op_ns(&plain, k, op, 0);

		was[op] = p->beside ? ns[op] : now;
		ns[op] = now;
	}
	tm_share_lengths(&run->share, SHARE_USUAL, m, t->start, ns);
	return !memcmp(was, ns, k->nop * sizeof *ns);
}

/* With what kernels take that run side by side. */
static bool share_out(const struct run *run, struct pass *p, struct times *t)
{
	const struct tm_replay *r = p->r;
	const size_t n = (size_t)r->rank[0]->nop + 1;
	uint64_t *ns = tm_array(n, sizeof *ns), *was = tm_array(n, sizeof *was);
	uint64_t *const all[] = { ns };
	struct share_machine *m = tm_share_machine_new(r);
	const bool ok = ns && was && m;

	for (int i = 0; ok && i < SHARE_ROUNDS && !find_lengths(run, p, t, m, ns, was); i++) {
		p->beside = all;
		go(r->rank[0], r->weave, p, t);
	}
	p->beside = NULL;
	tm_share_machine_free(m);
	free(ns);
	free(was);
	return ok;
}

static void put(const struct tm_replay_job *j, size_t i, uint64_t last, bool identical)
{
	for (int at = 0; at < PASSES; at++) {
		j->result[i].total[at] = last - j->replay->lo;
		j->result[i].identical[at] = identical;
	}
}

static bool do_one(void *arg, size_t i)
{
	const struct run *run = arg;
	const struct tm_replay *r = run->job->replay;
	const size_t n = (size_t)r->rank[0]->nop + 1;
	struct pass p = { .r = r, .s = &run->job->scenario[i], .level = LIKELY };
	uint8_t *touched = malloc((size_t)r->rows->names.n + 1);
	struct times t = { 0 };
	bool ok = touched != NULL;

	if (ok)
		tm_replay_touch(&p, touched);
	if (ok && p.same_lengths && !p.s->blind) {
		put(run->job, i, r->hi, true);
		free(touched);
		return true;
	}
	t.start = tm_array(n, sizeof *t.start);
	t.end = tm_array(n, sizeof *t.end);
	ok = ok && t.start && t.end;
	if (ok)
		go(r->rank[0], r->weave, &p, &t);
	if (ok && run->share.is[SHARE_USUAL].ns && !p.s->blind)
		ok = share_out(run, &p, &t);
	if (ok)
		put(run->job, i, t.last, !t.differ);
	free(touched);
	free(t.start);
	free(t.end);
	return ok;
}

/* Does any scenario give kernels another length? */
static bool any_length(const struct tm_replay_job *j, uint8_t *touched)
{
	bool same = true;

	for (size_t i = 0; i < j->n; i++) {
		struct pass p = { .r = j->replay, .s = &j->scenario[i], .level = LIKELY };

		tm_replay_touch(&p, touched);
		same &= p.same_lengths;
	}
	return !same;
}

bool tm_replay_weave_run(const struct tm_replay_job *j)
{
	struct run run = { .job = j };
	uint8_t *touched = malloc((size_t)j->replay->rows->names.n + 1);
	bool ok = touched != NULL;

	if (ok && any_length(j, touched))
		ok = tm_share_make(&run.share, j->replay->rank[0], true);
	ok = ok && tm_each(do_one, &run, j->n, j->jobs);
	tm_share_fini(&run.share);
	free(touched);
	return ok;
}
