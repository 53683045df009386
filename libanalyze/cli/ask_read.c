/* SPDX-License-Identifier: MIT */
#include "cli/ask_read.h"

#include "cli/runs.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* Tables that are read in one go: those of one window. */
struct ask_group {
	const char *window; /* NULL = all of the run */
	enum drive_clock clock;
	struct fan fan;
	struct event_sink *sink; /* fan.n of them, the pages' first */
	struct ask_page **page;  /* npages of them */
	size_t npages;
	struct metric_opts *o; /* of each sink: what its argument points to */
	bool digest;           /* the last sink is that of the digest */
	struct metric_opts asked;
	struct rank_extent *extents;
	void *acc;
	bool made, told; /* `told`: the window is in *o of all sinks */
};

/* What -w means is known when the first accumulator is made, before there are threads. */
static bool group_init(void *acc, const void *arg)
{
	struct ask_group *g = (struct ask_group *)(uintptr_t)arg;

	if (g->told)
		return fan_sink(&g->fan).init(acc, &g->fan);
	for (size_t i = 0; i < g->fan.n; i++) {
		struct metric_opts *o = &g->o[i];
		const struct metric_opts *w = &g->asked;

		o->windowed = w->windowed;
		o->some_ranks = w->some_ranks;
		o->window = w->window;
		o->nwindow = w->nwindow;
		o->plain_window = w->plain_window;
		o->open_from = w->open_from;
		o->open_to = w->open_to;
	}
	g->told = true;
	return fan_sink(&g->fan).init(acc, &g->fan);
}

/* ---- groups ---- */

static bool same_window(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : !a && !b;
}

static bool is_of(const struct ask_side *s, const struct ask_group *g, const struct ask_page *page)
{
	const char *window = page->window ? page->window : s->c->window;

	return page->m && page->side[s->side] && page->m->clock == g->clock &&
	       same_window(window, g->window);
}

static bool group_has(const struct ask_side *s, const struct ask_page *page)
{
	for (size_t i = 0; i < s->ngroups; i++)
		if (is_of(s, &s->group[i], page))
			return true;
	return false;
}

static bool fill_group(const struct ask_side *s, struct ask_group *g, const struct ask_pages *p)
{
	g->sink = calloc(p->n + 1, sizeof *g->sink);
	g->page = calloc(p->n + 1, sizeof *g->page);
	g->o = calloc(p->n + 1, sizeof *g->o);
	if (!g->sink || !g->page || !g->o)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		if (!is_of(s, g, p->v[i]))
			continue;
		g->page[g->npages] = p->v[i];
		g->o[g->npages] = p->v[i]->o;
		g->sink[g->npages++] = p->v[i]->m->sink;
	}
	g->fan = (struct fan) { g->sink, g->npages };
	if (g->digest) {
		g->o[g->fan.n] = (struct metric_opts) { .domains = MASK_BIT(DOMAIN_KERNEL) };
		g->sink[g->fan.n++] = run_sums_sink;
	}
	for (size_t i = 0; i < g->fan.n; i++) {
		g->o[i].classes = s->classes;
		g->o[i].windowed = g->window != NULL; /* what is wanted depends on it */
		g->o[i].strict = s->c->strict;
		g->o[i].max_unclassified = UINT64_MAX;
		g->sink[i].arg = &g->o[i];
	}
	return true;
}

/* All groups there are: that of the digest first. */
static bool make_groups(struct ask_side *s, const struct ask_pages *p)
{
	s->group = calloc(p->n + 1, sizeof *s->group);
	if (!s->group)
		return false;
	if (s->compared)
		s->group[s->ngroups++] = (struct ask_group) { .window = s->c->window,
			                                      .digest = true };
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i]->m && p->v[i]->side[s->side] && !group_has(s, p->v[i]))
			s->group[s->ngroups++] = (struct ask_group) {
				.window = p->v[i]->window ? p->v[i]->window : s->c->window,
				.clock = p->v[i]->m->clock,
			};
	for (size_t i = 0; i < s->ngroups; i++)
		if (!fill_group(s, &s->group[i], p))
			return false;
	return true;
}

/* ---- reading ---- */

/* Findings that are there already are not said again: several tables say the same. */
static void move_new(struct report *to, struct report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct finding *f = &from->v[i];
		bool there = false;

		for (size_t k = 0; k < to->n && !there; k++)
			there = !strcmp(to->v[k].text, f->text) && to->v[k].line == f->line &&
			        !strcmp(to->v[k].where ? to->v[k].where : "",
			                f->where ? f->where : "");
		if (!there)
			report_add(to, f->severity, f->where, f->line, "%s", f->text);
	}
	to->lost |= from->lost;
	report_fini(from);
}

/* Have the runs of each rank one window, as far as the table needs one?  ST_END: no, and there is
 * no answer. */
static enum status judge_runs(struct ask_group *g, size_t i, struct report *rep)
{
	static const char give[] = "give one run at a time, or number them with RANK=FILE";
	const struct apart *runs = run_apart(g->acc);
	enum window_use use = metric_window_use(g->page[i]->m, &g->o[i]);

	if (use == WINDOW_SOME)
		g->o[i].apart = apart_tell(runs, SEV_NOTE, "busy_pct and window_pct are absent",
		                           rep);
	else if (use == WINDOW_WHOLE && apart_tell(runs, SEV_ERROR, give, rep))
		return ST_END;
	if (use == WINDOW_WHOLE)
		apart_tell_idle(runs, rep);
	return rep->lost ? ST_FATAL : ST_OK;
}

/* Ask one metric; that it has nothing to show is no fault of the inputs, but of the rules that ask.
 */
static enum status fill_page(struct ask_side *s, struct ask_group *g, size_t i)
{
	struct ask_table *out = &g->page[i]->table[s->side];
	struct report own = { 0 };
	enum status st = judge_runs(g, i, &own);

	if (st == ST_OK)
		st = g->page[i]->m->fill(fan_part(run_inside(g->acc), i), &g->o[i], &out->t, &own);

	if (out->t.failed || own.lost)
		st = ST_FATAL;
	for (size_t k = 0; st == ST_END && k < own.n; k++) {
		if (!out->why)
			out->why = strdup(own.v[k].text);
		st = out->why ? st : ST_FATAL;
	}
	if (st == ST_END)
		report_fini(&own);
	move_new(&s->rep, &own);
	return st == ST_FATAL ? st : ST_OK;
}

/* What all of them want.  Rollups stand in for the events only where each can do with them. */
static ev_set want_of(const struct ask_group *g)
{
	ev_set want = g->digest ? run_sums_want(&g->o[g->npages]) : 0;
	ev_set all = g->digest ? want : EV_ALL;

	for (size_t i = 0; i < g->npages; i++) {
		ev_set one = g->page[i]->m->want(&g->o[i]);

		want |= one;
		all &= one;
	}
	return all & EV_BIT(EVC_SKETCH) ? want : want & ~EV_BIT(EVC_SKETCH);
}

static enum status read_group(struct ask_side *s, struct ask_group *g, struct diag *d)
{
	struct event_sink sink = fan_sink(&g->fan);
	struct window window = { 0 };
	struct common c = *s->c;
	struct runs runs = { .c = &c,
		             .window = &window,
		             .sink = &sink,
		             .arg = g,
		             .want = want_of(g),
		             .clock = g->clock,
		             .keep_apart = true };
	const struct digest_opts how = { .o = g->digest ? &g->o[g->npages] : NULL };
	struct report rep = { 0 };
	enum status st;

	sink.init = group_init;
	c.window = g->window;
	if (g->window && !window_parse(&window, g->window, d))
		return ST_SKIP;
	g->asked = (struct metric_opts) { .windowed = g->window != NULL, .classes = s->classes };
	g->acc = calloc(1, run_size(&sink));
	st = g->acc ? run_read_all(&runs, &c.operands, &g->asked, &g->extents, g->acc, &g->made,
	                           &rep, d)
	            : ST_FATAL;
	move_new(&s->rep, &rep);
	for (size_t i = 0; st == ST_OK && i < g->npages; i++)
		st = fill_page(s, g, i);
	/* What is compared with another run is one itself. */
	if (st == ST_OK && g->digest)
		apart_tell(run_apart(g->acc), SEV_ERROR, "give one run at a time", &s->rep);
	if (st == ST_OK && g->digest &&
	    !digest_make(&s->digest, fan_part(run_inside(g->acc), g->npages), &how, &s->rep))
		st = ST_FATAL;
	return s->rep.lost ? ST_FATAL : st;
}

/* Standard input can be read for one group only, unless it is a file. */
static bool once(const struct ask_side *s, struct diag *d)
{
	bool piped = !s->c->operands.n;

	for (size_t i = 0; i < s->c->operands.n; i++)
		piped |= !strcmp(s->c->operands.v[i], "-");
	if (piped && s->ngroups > 1)
		diag_set(d, 0,
		         "standard input can be read only once, and rules of %zu windows need it: "
		         "give a file",
		         s->ngroups);
	return !piped || s->ngroups <= 1;
}

enum status ask_read(struct ask_side *s, struct ask_pages *p, struct diag *d)
{
	enum status st = make_groups(s, p) ? ST_OK : ST_FATAL;

	s->digest.path = s->c->operands.n ? s->c->operands.v[0] : "-";
	if (st == ST_OK && !once(s, d))
		st = ST_SKIP;
	for (size_t i = 0; st == ST_OK && i < s->ngroups; i++)
		st = read_group(s, &s->group[i], d);
	return st;
}

void ask_side_fini(struct ask_side *s)
{
	for (size_t i = 0; i < s->ngroups; i++) {
		struct ask_group *g = &s->group[i];

		if (g->made)
			run_fini(&(struct event_sink) { 0 }, g->acc);
		free(g->acc);
		free(g->extents);
		free(g->sink);
		free(g->page);
		free(g->o);
	}
	free(s->group);
	if (s->compared)
		digest_fini(&s->digest);
	report_fini(&s->rep);
	s->group = NULL;
	s->ngroups = 0;
}
