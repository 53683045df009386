/* SPDX-License-Identifier: MIT
 * Gaps added up by what was around them: kstats gaps --by.
 *
 * Gaps are gathered and merged by what they share whenever there are many, so that a trace of
 * millions takes the memory of its different rows. */
#include "agg/agg.h"
#include "metric/idle/gaps_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	BY_PREV = COL_OWN,
	BY_NEXT,
	BY_CALL,
	BY_STEP,
	BY_GAPS,
	BY_IDLE,
	BY_IDLE_PCT,
	BY_AVG,
	BY_MAX,
	BY_LATER,
	BY_N,
};

const struct tm_column tm_gaps_by_columns[] = {
	WHOSE,
	[BY_PREV] = { .name = "prev",
	              .title = "PREVIOUS",
	              .unit = TM_UNIT_TEXT,
	              .about = "last operation to end before the gap",
	              .naming = true,
	              .elastic = true },
	[BY_NEXT] = { .name = "next",
	              .title = "NEXT",
	              .unit = TM_UNIT_TEXT,
	              .about = "operation that ended the gap",
	              .naming = true,
	              .elastic = true },
	[BY_CALL] = { .name = "host_call",
	              .title = "HOST CALL",
	              .unit = TM_UNIT_TEXT,
	              .about = "host call on the launching thread (its part of the gap); absent: "
	                       "none",
	              .naming = true,
	              .elastic = true },
	[BY_STEP] = { .name = "step",
	              .title = "STEP",
	              .unit = TM_UNIT_ID,
	              .naming = true,
	              .about = "step (its part of the gap); absent: outside all steps" },
	[BY_GAPS] = { .name = "gaps",
	              .title = "GAPS",
	              .unit = TM_UNIT_COUNT,
	              .about = "number of gaps, or of parts of gaps" },
	[BY_IDLE] = { .name = "idle_ns",
	              .title = "IDLE",
	              .unit = TM_UNIT_NS,
	              .about = "total length" },
	[BY_IDLE_PCT] = { .name = "idle_pct",
	                  .title = "IDLE%",
	                  .unit = TM_UNIT_PCT,
	                  .about = "share of the window",
	                  .bar = true },
	[BY_AVG] = { .name = "avg_ns",
	             .title = "AVG",
	             .unit = TM_UNIT_NS,
	             .tight = 1,
	             .about = "idle_ns / gaps" },
	[BY_MAX] = { .name = "max_ns",
	             .title = "MAX",
	             .unit = TM_UNIT_NS,
	             .about = "longest gap or part" },
	[BY_LATER] = { .name = "later_idle_ns",
	               .title = "LATER IDLE",
	               .unit = TM_UNIT_NS,
	               .about = "part of idle_ns after the start of the first kernel",
	               .machine = true },
	[BY_N] = { 0 },
};

enum by { CALL, PREV, NEXT, PAIR, STEP };

const char *const tm_gaps_by_words[] = { "call", "prev", "next", "pair", "step", NULL };

/* Gaps that share what they are added up by: names, or TM_NAME_NONE. */
struct some {
	uint64_t gaps, idle, later, max;
	size_t step;   /* 1 + that in steps.v; 0 = none */
	uint32_t lane; /* its first track */
	uint32_t prev, next, call;
};

/* A gap whose call is not looked up yet. */
struct kept {
	struct tm_extent at;
	uint32_t lane, thread;
	bool later;
};

enum { MANY = 1 << 16 };

struct gathered {
	struct gaps_fill *f;
	enum by by;
	struct some *v; /* n of them, of which so many are merged */
	size_t n, cap, merged;
	size_t *last;   /* of each name, and of none: which of v, most likely, has the next of it */
	uint64_t first; /* where the first kernel of the lane at hand begins; 0 = at any time */
	struct tm_call_parts parts;
	struct kept *kept; /* of the rank at hand */
	size_t nkept, kept_cap;
	struct tm_steps steps;
	size_t from, to; /* those of the rank at hand */
};

static int by_key(const void *pa, const void *pb)
{
	const struct some *a = pa, *b = pb;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->prev != b->prev)
		return a->prev < b->prev ? -1 : 1;
	if (a->next != b->next)
		return a->next < b->next ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void join(struct some *to, const struct some *x)
{
	to->gaps += x->gaps;
	to->idle += x->idle;
	to->later += x->later;
	to->max = x->max > to->max ? x->max : to->max;
}

static void merge(struct gathered *g)
{
	size_t n = 0;

	if (g->n)
		qsort(g->v, g->n, sizeof *g->v, by_key);
	for (size_t i = 0; i < g->n; i++) {
		struct some *to = n ? &g->v[n - 1] : NULL;

		if (!to || by_key(to, &g->v[i])) {
			g->v[n++] = g->v[i];
			continue;
		}
		join(to, &g->v[i]);
	}
	g->n = g->merged = n;
}

/* The name that tells most gaps of a lane apart. */
static uint32_t name_of(const struct gathered *g, const struct some *x)
{
	const uint32_t name = x->call != TM_NAME_NONE   ? x->call
	                      : x->prev != TM_NAME_NONE ? x->prev
	                                                : x->next;

	return name == TM_NAME_NONE ? g->f->w->names.n : name;
}

static bool add(struct gathered *g, struct some x)
{
	size_t *last = &g->last[name_of(g, &x)];

	/* Many of a lane are alike. */
	if (*last < g->n && !by_key(&g->v[*last], &x)) {
		join(&g->v[*last], &x);
		return true;
	}
	if (g->n - g->merged > MANY + g->merged)
		merge(g);
	if (!tm_grow_array(&g->v, &g->cap, g->n + 1, sizeof *g->v))
		return false;
	*last = g->n;
	g->v[g->n++] = x;
	return true;
}

/* `later`: after the start of the first kernel. */
static struct some some_of(uint64_t length, uint32_t lane, bool later)
{
	return (struct some) { .gaps = 1,
		               .idle = length,
		               .later = later ? length : 0,
		               .max = length,
		               .lane = lane,
		               .prev = TM_NAME_NONE,
		               .next = TM_NAME_NONE,
		               .call = TM_NAME_NONE };
}

static bool see_gap(struct gathered *g, const struct gaps_lane *l, uint32_t lane,
                    const struct gap *gap)
{
	const bool later = gap->at.hi > g->first;
	struct some x = some_of(gaps_length(gap), lane, later);
	size_t thread;

	if (g->by == PREV || g->by == PAIR)
		x.prev = gaps_name_beside(l, gap->prev);
	if (g->by == NEXT || g->by == PAIR)
		x.next = gaps_name_beside(l, gap->next);
	if (g->by != CALL)
		return add(g, x);
	thread = tm_gaps_thread(g->f, l, gap);
	if (thread == TM_CALL_NONE)
		return add(g, x);
	if (!tm_grow_array(&g->kept, &g->kept_cap, g->nkept + 1, sizeof *g->kept))
		return false;
	g->kept[g->nkept++] = (struct kept) { gap->at, lane, (uint32_t)thread, later };
	return true;
}

/* A gap in its part in each step and what lies in none, wherever that is.  *at: the first step that
 * may reach into it. */
static bool see_parts(struct gathered *g, uint32_t lane, struct tm_extent gap, size_t *at)
{
	const bool later = gap.hi > g->first;
	uint64_t none = 0;

	while (gap.lo < gap.hi) {
		const struct tm_extent *step;
		uint64_t to = gap.hi;
		bool inside;

		while (*at < g->to && g->steps.v[*at].at.hi <= gap.lo)
			++*at;
		step = *at < g->to ? &g->steps.v[*at].at : NULL;
		inside = step && step->lo <= gap.lo;
		if (inside)
			to = step->hi < to ? step->hi : to;
		else if (step)
			to = step->lo < to ? step->lo : to;
		if (inside) {
			struct some x = some_of(to - gap.lo, lane, later);

			x.step = *at + 1;
			if (!add(g, x))
				return false;
		} else {
			none += to - gap.lo;
		}
		gap.lo = to;
	}
	return !none || add(g, some_of(none, lane, later));
}

/* After the causes of all gaps of a rank: the calls are there once. */
static bool name_calls(struct gathered *g)
{
	for (size_t i = 0; i < g->nkept; i++) {
		const struct kept *k = &g->kept[i];
		uint64_t rest = k->at.hi - k->at.lo;

		if (!tm_causes_parts(&g->f->causes, k->at, k->thread, &g->parts))
			return false;
		for (size_t p = 0; p < g->parts.n; p++) {
			struct some x = some_of(g->parts.v[p].ns, k->lane, k->later);

			x.call = g->parts.v[p].name;
			rest -= g->parts.v[p].ns;
			if (!add(g, x))
				return false;
		}
		if (rest && !add(g, some_of(rest, k->lane, k->later)))
			return false;
	}
	g->nkept = 0;
	return true;
}

/* Ranks come in order. */
static void find_steps(struct gathered *g, uint64_t rank)
{
	const struct tm_steps *s = &g->steps;

	while (g->from < s->n && s->v[g->from].rank < rank)
		g->from++;
	for (g->to = g->from; g->to < s->n && s->v[g->to].rank == rank;)
		g->to++;
}

/* The gaps of a lane of a rank without calls: only their lengths are needed. */
static bool see_unknown(struct gathered *g, const struct gaps_lane *l, uint32_t lane,
                        struct gaps_walk *walk)
{
	struct some x = some_of(0, lane, false);
	uint64_t ns[GAPS_SOME];

	x.gaps = 0;
	for (size_t n; (n = tm_gaps_lengths(walk, ns)) != 0; x.gaps += n)
		for (size_t i = 0; i < n; i++) {
			x.idle += ns[i];
			x.max = ns[i] > x.max ? ns[i] : x.max;
		}
	x.later = x.idle - tm_gaps_before(l, g->first).idle;
	return !x.gaps || add(g, x);
}

static bool gather_lane(struct gathered *g, const struct gaps_lane *l)
{
	struct gaps_walk walk = tm_gaps_walk(l);
	struct tm_calls_found found;
	const uint32_t lane = (uint32_t)(l->t - g->f->w->track);
	size_t step;
	struct gap gap;

	g->first = tm_gaps_first_kernel(l);
	find_steps(g, l->t->rank);
	step = g->from;
	if (g->by == CALL) {
		if (!tm_gaps_rank_ready(g->f, l->t->rank))
			return false;
		tm_gaps_count_found(g->f, l, &found);
		if (!g->f->calls.v.n)
			return see_unknown(g, l, lane, &walk);
	}
	while (tm_gaps_next(&walk, &gap))
		if (!(g->by == STEP ? see_parts(g, lane, gap.at, &step)
		                    : see_gap(g, l, lane, &gap)))
			return false;
	return true;
}

static bool gather(struct gathered *g)
{
	const struct tm_work *w = g->f->w;

	for (size_t i = 0, n; i < w->ntrack; i += n) {
		struct gaps_lane l = gaps_lane(w, i);

		n = l.n;
		if (!gather_lane(g, &l))
			return false;
		if ((i + n == w->ntrack || w->track[i + n].rank != l.t->rank) && !name_calls(g))
			return false;
	}
	merge(g);
	return true;
}

/* ---- rows ---- */

static int cmp_names(const struct tm_names *names, uint32_t a, uint32_t b)
{
	if (a == TM_NAME_NONE || b == TM_NAME_NONE)
		return (a == TM_NAME_NONE) - (b == TM_NAME_NONE);
	return tm_name_cmp(&names->v[a], &names->v[b]);
}

/* Most idle time first; of equals by what people read, for the numbers of names are by chance. */
static int by_idle(const void *pa, const void *pb, void *arg)
{
	const struct some *a = pa, *b = pb;
	const struct tm_names *names = arg;
	int c;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->idle != b->idle)
		return a->idle > b->idle ? -1 : 1;
	c = cmp_names(names, a->prev, b->prev);
	c = c ? c : cmp_names(names, a->next, b->next);
	c = c ? c : cmp_names(names, a->call, b->call);
	return c ? c : (a->step > b->step) - (a->step < b->step);
}

static struct tm_cell name_cell(const struct tm_work *w, uint32_t name)
{
	if (name == TM_NAME_NONE)
		return tm_cell_none();
	return tm_cell_text(w->names.v[name].text, w->names.v[name].len);
}

static bool put_row(struct gathered *g, const struct some *x)
{
	struct gaps_fill *f = g->f;
	const struct gaps_lane l = gaps_lane(f->w, x->lane);
	const struct tm_extent window = tm_gaps_walk(&l).p.window;
	struct tm_cell *cell = tm_gaps_row(f, &l);

	if (!cell)
		return false;
	cell[f->place[BY_PREV]] = name_cell(f->w, x->prev);
	cell[f->place[BY_NEXT]] = name_cell(f->w, x->next);
	cell[f->place[BY_CALL]] = name_cell(f->w, x->call);
	if (x->step)
		cell[f->place[BY_STEP]] = tm_cell_u64(g->steps.v[x->step - 1].number);
	cell[f->place[BY_GAPS]] = tm_cell_u64(x->gaps);
	cell[f->place[BY_IDLE]] = tm_cell_u64(x->idle);
	cell[f->place[BY_IDLE_PCT]] = tm_work_pct(x->idle, window.hi - window.lo);
	cell[f->place[BY_AVG]] = tm_cell_ratio(0, x->idle, x->gaps);
	cell[f->place[BY_MAX]] = tm_cell_u64(x->max);
	cell[f->place[BY_LATER]] = tm_cell_u64(x->later);
	return true;
}

static enum by by_of(const struct tm_metric_opts *o)
{
	const struct gaps_own *own = o->own;
	unsigned i = 0;

	while (own->by && tm_gaps_by_words[i + 1] && strcmp(own->by, tm_gaps_by_words[i]) != 0)
		i++;
	return (enum by)i;
}

unsigned tm_gaps_by_keep(const struct tm_metric_opts *o)
{
	const enum by by = by_of(o);

	return by == CALL ? TM_WORK_CALL_NAMES : by == STEP ? TM_STEPS_KEEP : TM_WORK_OP_NAMES;
}

bool tm_gaps_fill_by(struct gaps_fill *f)
{
	struct gathered g = { .f = f, .by = by_of(f->o) };
	enum tm_status st = g.by == STEP ? tm_steps_find(&g.steps, f->w, f->rep) : TM_ST_OK;
	bool ok;

	g.last = calloc((size_t)f->w->names.n + 1, sizeof *g.last);
	ok = g.last && st != TM_ST_FATAL;
	f->names = g.by == CALL;
	f->no_steps = st == TM_ST_END;
	if (ok && st == TM_ST_OK)
		ok = f->w->nthread < UINT32_MAX && f->w->ntrack < UINT32_MAX && gather(&g);
	if (ok && g.n)
		qsort_r(g.v, g.n, sizeof *g.v, by_idle, &f->w->names);
	for (size_t i = 0; ok && i < g.n; i++)
		ok = put_row(&g, &g.v[i]);
	tm_steps_fini(&g.steps);
	free(g.v);
	free(g.last);
	free(g.kept);
	tm_call_parts_fini(&g.parts);
	return ok;
}
