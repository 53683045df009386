/* SPDX-License-Identifier: MIT */
#include "metric/idle/budget.h"

#include "base/base.h"
#include "metric/idle/gaps_parts.h"

#include <stdlib.h>

/* All that one agent is added up with. */
struct adder {
	struct tm_budget *b;
	struct gaps_fill gaps;
	bool calls; /* of any API: without, no cause is known, and none is looked for */
	struct tm_extent window; /* of the agent */
	struct tm_stretches s;   /* the steps of its rank */
};

void tm_budget_fini(struct tm_budget *b)
{
	free(b->kernel);
	free(b->copy);
	free(b->step);
	*b = (struct tm_budget) { 0 };
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
		at = tm_stretches_behind(&a->s, at, e.lo);
		if (at < a->s.n && starts_in(a->s.v[at], e.lo))
			count_op(b, TM_BUDGET_STEPS, name, ns);
		b->sum[TM_BUDGET_STEPS].clipped +=
		        tm_stretches_before(&a->s, tm_stretches_behind(&a->s, at, e.hi), e.hi) -
		        tm_stretches_before(&a->s, at, e.lo);
	}
}

/* `idle` ns of a gap, and what they are made of; NULL where no cause is known. */
static void add_idle(struct tm_budget_sum *sum, uint64_t idle, const uint64_t *cause)
{
	sum->idle += idle;
	if (!cause)
		sum->cause[TM_CAUSE_UNKNOWN] += idle;
	for (int c = 0; cause && c < TM_CAUSES; c++)
		sum->cause[c] += cause[c];
}

/* The part of a gap that lies in the window. */
static bool add_idle_window(struct adder *a, const struct gaps_lane *l, const struct gap *g)
{
	struct gap part = *g;
	uint64_t cause[TM_CAUSES];
	size_t thread;

	part.at.lo = g->at.lo > a->window.lo ? g->at.lo : a->window.lo;
	part.at.hi = g->at.hi < a->window.hi ? g->at.hi : a->window.hi;
	if (part.at.lo >= part.at.hi)
		return true;
	if (a->calls && !tm_gaps_split(&a->gaps, l, &part, cause, &thread))
		return false;
	add_idle(&a->b->sum[TM_BUDGET_WINDOW], gaps_length(&part), a->calls ? cause : NULL);
	return true;
}

/* The parts of a gap that lie in steps, however many there are. */
static bool add_idle_steps(struct adder *a, const struct gaps_lane *l, const struct gap *g)
{
	uint64_t idle = tm_stretches_inside(&a->s, g->at.lo, g->at.hi), cause[TM_CAUSES];

	if (!idle)
		return true;
	if (a->calls && !tm_gaps_split_inside(&a->gaps, l, g, cause))
		return false;
	add_idle(&a->b->sum[TM_BUDGET_STEPS], idle, a->calls ? cause : NULL);
	return true;
}

/* Gaps of the window and of all steps, which may reach beyond it. */
static bool add_gaps(struct adder *a, const struct gaps_lane *l)
{
	struct gaps_walk w = { .p = tm_work_pieces_same(l->t, l->n) };
	const struct tm_stretches *s = &a->s;
	struct gap g;
	bool ok = true;

	if (s->n && s->v[0].lo < w.p.window.lo)
		w.p.window.lo = s->v[0].lo;
	if (s->n && s->v[s->n - 1].hi > w.p.window.hi)
		w.p.window.hi = s->v[s->n - 1].hi;
	w.edge = w.p.window.lo;
	while (ok && tm_gaps_next(&w, &g))
		ok = add_idle_window(a, l, &g) && add_idle_steps(a, l, &g);
	return ok;
}

/* The steps of a rank: n of them. */
static bool take_steps(struct adder *a, const struct tm_step *v, size_t n)
{
	bool ok = true;

	tm_stretches_clear(&a->s);
	for (size_t i = 0; ok && i < n; i++)
		ok = tm_stretches_add(&a->s, v[i].at);
	return ok;
}

/* Once for a rank: each of its agents has all its steps. */
static void count_steps(struct adder *a, uint64_t agents)
{
	struct tm_budget *b = a->b;
	size_t n = a->s.n;

	for (size_t i = 0; i < n; i++) {
		b->step[i].window += (tm_u128)(a->s.v[i].hi - a->s.v[i].lo) * agents;
		b->step[i].units += agents;
	}
	b->nsteps = n > b->nsteps ? n : b->nsteps;
	b->sum[TM_BUDGET_STEPS].units += n * agents;
	b->sum[TM_BUDGET_STEPS].window += (tm_u128)tm_stretches_sum(&a->s) * agents;
}

static bool add_lane(struct adder *a, const struct gaps_lane *l)
{
	struct tm_budget *b = a->b;
	struct tm_calls_found found = { 0 };

	a->window = tm_gaps_walk(l).p.window;
	b->agents++;
	b->sum[TM_BUDGET_WINDOW].units++;
	b->sum[TM_BUDGET_WINDOW].window += a->window.hi - a->window.lo;
	if (a->calls && !tm_gaps_rank_ready(&a->gaps, l->t->rank))
		return false;
	a->gaps.causes.inside = &a->s;
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

/* The agents of the rank of w->track[*i], which goes on to the next rank. */
static bool add_rank(struct adder *a, struct tm_work *w, size_t *i)
{
	uint64_t rank = w->track[*i].rank, agents = 0;
	bool ok = true;

	for (; ok && *i < w->ntrack && w->track[*i].rank == rank; agents++) {
		struct gaps_lane l = gaps_lane(w, *i);

		ok = add_lane(a, &l);
		*i += l.n;
	}
	count_steps(a, agents);
	return ok;
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
	for (size_t i = 0; ok && i < w->ntrack;) {
		uint64_t rank = w->track[i].rank;

		while (at < nsteps && step[at].rank < rank)
			at++;
		for (end = at; end < nsteps && step[end].rank == rank;)
			end++;
		ok = take_steps(&a, nsteps ? step + at : step, end - at) && add_rank(&a, w, &i);
	}
	tm_calls_fini(&a.gaps.calls);
	tm_causes_fini(&a.gaps.causes);
	tm_stretches_fini(&a.s);
	return ok;
}
