/* SPDX-License-Identifier: MIT */
#include "metric/idle/budget.h"

#include "base/base.h"
#include "metric/idle/gaps_parts.h"

#include <stdlib.h>

/* Disjoint stretches of time, ascending. */
struct stretches {
	const struct tm_step *v; /* n of them */
	size_t n;
	const uint64_t *before; /* what those before each add up to */
};

/* All that one agent is added up with. */
struct adder {
	struct tm_budget *b;
	struct gaps_fill gaps;
	bool calls; /* of any API: without, no cause is known, and none is looked for */
	struct tm_extent window; /* of the agent */
	struct stretches s;
	uint64_t *before; /* memory for s.before */
	size_t before_cap;
};

void tm_budget_fini(struct tm_budget *b)
{
	free(b->kernel);
	free(b->copy);
	free(b->step);
	*b = (struct tm_budget) { 0 };
}

/* The first stretch from `from` on that ends behind t. */
static size_t ends_behind(const struct stretches *s, size_t from, uint64_t t)
{
	size_t lo = from, hi = s->n, step = 1;

	/* Mostly it is one of the next. */
	while (lo + step < hi && s->v[lo + step - 1].at.hi <= t)
		step *= 2;
	if (lo + step < hi)
		hi = lo + step;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->v[mid].at.hi <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Time inside stretches before t, of which stretch i is the first to end behind it. */
static uint64_t inside_before(const struct stretches *s, size_t i, uint64_t t)
{
	return s->before[i] + (i < s->n && s->v[i].at.lo < t ? t - s->v[i].at.lo : 0);
}

static uint64_t clip(struct tm_extent e, struct tm_extent in)
{
	uint64_t lo = e.lo > in.lo ? e.lo : in.lo, hi = e.hi < in.hi ? e.hi : in.hi;

	return lo < hi ? hi - lo : 0;
}

static bool starts_in(struct tm_extent in, uint64_t t)
{
	return t >= in.lo && t < in.hi;
}

static void count_op(struct tm_budget *b, enum tm_budget_of of, struct tm_budget_name *name,
                     uint64_t ns)
{
	name->calls[of]++;
	name->ns[of] += ns;
	b->sum[of].ops += ns;
}

/* Operations of one list, in the order of their starts. */
static void add_ops(struct adder *a, const struct tm_intervals *list, struct tm_budget_name *names)
{
	struct tm_budget *b = a->b;
	size_t at = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct tm_extent e = { .lo = tm_interval_start(list, i) };
		uint64_t ns = tm_interval_dur(list, i);
		struct tm_budget_name *name = &names[tm_interval_name(list, i)];

		e.hi = e.lo + ns;
		if (starts_in(a->window, e.lo))
			count_op(b, TM_BUDGET_WINDOW, name, ns);
		b->sum[TM_BUDGET_WINDOW].clipped += clip(e, a->window);
		if (!a->s.n)
			continue;
		at = ends_behind(&a->s, at, e.lo);
		if (at < a->s.n && starts_in(a->s.v[at].at, e.lo))
			count_op(b, TM_BUDGET_STEPS, name, ns);
		b->sum[TM_BUDGET_STEPS].clipped += inside_before(&a->s,
		                                                 ends_behind(&a->s, at, e.hi),
		                                                 e.hi) -
		                                   inside_before(&a->s, at, e.lo);
	}
}

/* The part of a gap that lies in a stretch. */
static bool add_idle(struct adder *a, const struct gaps_lane *l, const struct gap *g,
                     struct tm_extent in, enum tm_budget_of of)
{
	struct tm_budget_sum *sum = &a->b->sum[of];
	struct gap part = *g;
	uint64_t cause[TM_CAUSES];
	size_t thread;

	part.at.lo = g->at.lo > in.lo ? g->at.lo : in.lo;
	part.at.hi = g->at.hi < in.hi ? g->at.hi : in.hi;
	if (part.at.lo >= part.at.hi)
		return true;
	sum->idle += gaps_length(&part);
	if (!a->calls) {
		sum->cause[TM_CAUSE_UNKNOWN] += gaps_length(&part);
		return true;
	}
	if (!tm_gaps_split(&a->gaps, l, &part, cause, &thread))
		return false;
	for (int c = 0; c < TM_CAUSES; c++)
		sum->cause[c] += cause[c];
	return true;
}

/* Gaps of the window and of all stretches, which may reach beyond it. */
static bool add_gaps(struct adder *a, const struct gaps_lane *l)
{
	struct gaps_walk w = { .p = tm_work_pieces_same(l->t, l->n) };
	const struct stretches *s = &a->s;
	size_t at = 0;
	struct gap g;
	bool ok = true;

	if (s->n && s->v[0].at.lo < w.p.window.lo)
		w.p.window.lo = s->v[0].at.lo;
	if (s->n && s->v[s->n - 1].at.hi > w.p.window.hi)
		w.p.window.hi = s->v[s->n - 1].at.hi;
	w.edge = w.p.window.lo;
	while (ok && tm_gaps_next(&w, &g)) {
		ok = add_idle(a, l, &g, a->window, TM_BUDGET_WINDOW);
		at = ends_behind(s, at, g.at.lo);
		for (size_t i = at; ok && i < s->n && s->v[i].at.lo < g.at.hi; i++)
			ok = add_idle(a, l, &g, s->v[i].at, TM_BUDGET_STEPS);
	}
	return ok;
}

static bool add_steps(struct adder *a)
{
	struct tm_budget *b = a->b;
	uint64_t sum = 0;

	if (!tm_grow_array(&a->before, &a->before_cap, a->s.n + 1, sizeof *a->before))
		return false;
	for (size_t i = 0; i < a->s.n; i++) {
		uint64_t length = a->s.v[i].at.hi - a->s.v[i].at.lo;

		a->before[i] = sum;
		sum += length;
		b->step[i].window += length;
		b->step[i].units++;
	}
	a->before[a->s.n] = sum;
	a->s.before = a->before;
	b->nsteps = a->s.n > b->nsteps ? a->s.n : b->nsteps;
	b->sum[TM_BUDGET_STEPS].units += a->s.n;
	b->sum[TM_BUDGET_STEPS].window += sum;
	return true;
}

static bool add_lane(struct adder *a, const struct gaps_lane *l)
{
	struct tm_budget *b = a->b;
	struct gaps_found found = { 0 };

	a->window = tm_gaps_walk(l).p.window;
	b->agents++;
	b->sum[TM_BUDGET_WINDOW].units++;
	b->sum[TM_BUDGET_WINDOW].window += a->window.hi - a->window.lo;
	if (!add_steps(a) || (a->calls && !tm_gaps_rank_ready(&a->gaps, l->t->rank)))
		return false;
	for (size_t i = 0; i < l->n; i++) {
		for (int k = 0; k < TM_WORK_DISPATCHES; k++)
			add_ops(a, &l->t[i].op[k], b->kernel);
		add_ops(a, &l->t[i].op[TM_WORK_COPY], b->copy);
	}
	if (!add_gaps(a, l))
		return false;
	if (a->calls)
		tm_gaps_count_found(&a->gaps, l, &found);
	b->ops += found.ops;
	b->matched += found.calls;
	return true;
}

bool tm_budget_make(struct tm_budget *b, struct tm_work *w, const struct tm_step *step,
                    size_t nsteps)
{
	struct adder a = { .b = b, .gaps = { .w = w, .o = w->o } };
	size_t at = 0, end = 0;
	bool ok;

	a.calls = w->seen[TM_DOMAIN_HIP] || w->seen[TM_DOMAIN_HSA];
	*b = (struct tm_budget) { 0 };
	b->kernel = calloc((size_t)w->names.n + 1, sizeof *b->kernel);
	b->copy = calloc((size_t)w->names.n + 1, sizeof *b->copy);
	b->step = calloc(nsteps + 1, sizeof *b->step);
	ok = b->kernel && b->copy && b->step;
	for (size_t i = 0; ok && i < w->ntrack; i += tm_work_same(w, i)) {
		struct gaps_lane l = gaps_lane(w, i);

		while (at < nsteps && step[at].rank < l.t->rank)
			at++;
		for (end = at; end < nsteps && step[end].rank == l.t->rank;)
			end++;
		a.s = (struct stretches) { .v = nsteps ? step + at : NULL, .n = end - at };
		ok = add_lane(&a, &l);
	}
	tm_calls_fini(&a.gaps.calls);
	tm_causes_fini(&a.gaps.causes);
	free(a.before);
	return ok;
}
