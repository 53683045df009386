/* SPDX-License-Identifier: MIT
 * Idle time of all agents together: causes, the longest gap, and what the host did meanwhile. */
#include "base/base.h"
#include "metric/idle/gaps_parts.h"

#include <stdlib.h>
#include <string.h>

/* A gap whose next operation is known to come from a thread. */
struct kept {
	struct tm_extent at;
	size_t thread;
};

struct sum {
	struct gaps_fill f;
	struct tm_gaps_total *out;
	struct kept *kept; /* n of them, of the rank that f is ready for */
	size_t n, cap;
	struct tm_gaps_call *by_name; /* of each of work.names */
	struct tm_call_parts parts;
};

static uint64_t longest(const struct tm_gaps_total *g)
{
	return g->longest.hi - g->longest.lo;
}

static void count_gap(struct tm_gaps_total *out, const struct gaps_lane *l, const struct gap *g)
{
	out->gaps++;
	out->idle += gaps_length(g);
	if (gaps_length(g) > longest(out)) {
		out->longest = g->at;
		out->longest_of = l->t;
	}
}

static bool see_gap(struct sum *s, const struct gaps_lane *l, const struct gap *g)
{
	struct tm_gaps_total *out = s->out;
	uint64_t part[TM_CAUSES];
	size_t thread;

	count_gap(out, l, g);
	if (!tm_gaps_split(&s->f, l, g, part, &thread))
		return false;
	for (int c = 0; c < TM_CAUSES; c++)
		out->cause[c] += part[c];
	if (thread == TM_CALL_NONE)
		return true;
	if (!tm_grow_array(&s->kept, &s->cap, s->n + 1, sizeof *s->kept))
		return false;
	s->kept[s->n++] = (struct kept) { g->at, thread };
	return true;
}

/* Add the gaps of a lane without known calls: only their lengths are needed. */
static void see_unknown(struct sum *s, const struct gaps_lane *l, struct gaps_walk *walk)
{
	struct tm_gaps_total *out = s->out;
	struct tm_pieces_passed passed = { 0 };
	const tm_u128 idle = out->idle;
	struct gap g;

	while (tm_gaps_longer(walk, longest(out), &passed, &g))
		count_gap(out, l, &g);
	out->gaps += passed.gaps;
	out->idle += passed.ns;
	out->cause[TM_CAUSE_UNKNOWN] += out->idle - idle;
}

static bool add_lane(struct sum *s, const struct gaps_lane *l)
{
	struct gaps_walk walk = tm_gaps_walk(l);
	struct tm_calls_found found;
	struct gap g;

	s->out->window += walk.p.window.hi - walk.p.window.lo;
	if (!s->f.calls.v.n)
		see_unknown(s, l, &walk);
	while (tm_gaps_next(&walk, &g))
		if (!see_gap(s, l, &g))
			return false;
	tm_gaps_count_found(&s->f, l, &found);
	s->out->ops += found.ops;
	s->out->matched += found.calls;
	return true;
}

/* After the causes of all gaps of a rank: the calls are there once. */
static bool name_calls(struct sum *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct kept *k = &s->kept[i];

		if (!tm_causes_parts(&s->f.causes, k->at, k->thread, &s->parts))
			return false;
		for (size_t p = 0; p < s->parts.n; p++) {
			struct tm_gaps_call *call = &s->by_name[s->parts.v[p].name];

			call->gaps++;
			call->idle += s->parts.v[p].ns;
		}
	}
	s->n = 0;
	return true;
}

int tm_gaps_by_idle(const void *pa, const void *pb, void *names)
{
	const struct tm_gaps_call *a = pa, *b = pb;
	const struct tm_names *n = names;

	if (a->idle != b->idle)
		return a->idle > b->idle ? -1 : 1;
	return tm_name_cmp(&n->v[a->name], &n->v[b->name]);
}

/* The calls that there are, in order. */
static void order_calls(struct sum *s)
{
	struct tm_names *names = &s->f.w->names;
	size_t n = 0;

	for (uint32_t i = 0; i < names->n; i++)
		if (s->by_name[i].gaps) {
			s->by_name[n] = s->by_name[i];
			s->by_name[n++].name = i;
		}
	if (n)
		qsort_r(s->by_name, n, sizeof *s->by_name, tm_gaps_by_idle, names);
	s->out->call = s->by_name;
	s->out->ncall = n;
}

bool tm_gaps_total(struct tm_work *w, struct tm_gaps_total *out)
{
	struct sum s = { .f = { .w = w, .o = w->o, .names = true }, .out = out };
	bool ok;

	*out = (struct tm_gaps_total) { 0 };
	s.by_name = calloc((size_t)w->names.n + 1, sizeof *s.by_name);
	ok = s.by_name != NULL;
	for (size_t i = 0, n; ok && i < w->ntrack; i += n) {
		struct gaps_lane l = gaps_lane(w, i);

		n = l.n;
		ok = tm_gaps_rank_ready(&s.f, l.t->rank) && add_lane(&s, &l);
		if (ok && (i + n == w->ntrack || w->track[i + n].rank != l.t->rank))
			ok = name_calls(&s);
	}
	out->lanes = s.f.lanes;
	out->few = s.f.few;
	out->told = s.f.told;
	out->early = s.f.early;
	tm_gaps_fill_fini(&s.f);
	free(s.kept);
	tm_call_parts_fini(&s.parts);
	if (ok)
		order_calls(&s);
	else
		free(s.by_name);
	return ok;
}

void tm_gaps_total_fini(struct tm_gaps_total *g)
{
	free(g->call);
	*g = (struct tm_gaps_total) { 0 };
}
