/* SPDX-License-Identifier: MIT */
#include "cli/rules/ask_read.h"

#include "cli/operands/operands.h"
#include "metric/metric.h"
#include "stack/stack.h"
#include "stream/stream.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

/* Sinks after those of the tables, counted from the end. */
enum { DRIFT = 1, POOL = 2, STACKS = 3 };

/* Tables that are read in one go: those of one window.  Where clocks do not drift, all times count
 * the same, and tables of another clock are among them; where they do, those are read again. */
struct ask_group {
	const char *window; /* NULL = all of the run */
	enum tm_drive_clock clock;
	bool again; /* tables of that clock only: those that another group could not have */
	struct tm_fan fan;
	struct tm_event_sink *sink; /* fan.n of them, the pages' first, each watching ... */
	struct tm_event_sink *own;  /* ... that of its metric, ... */
	struct tm_state_opts *kept; /* ... as this says */
	struct ask_page **page;     /* npages of them */
	size_t npages;
	struct tm_metric_opts *o; /* of each sink: what its argument points to */
	bool digest;              /* after those of the pages is that of the digest */
	struct tm_metric_opts asked;
	struct tm_rank_extent *extents;
	void *acc;
	bool made, told; /* `told`: the window is in *o of all sinks */
};

/* What files of totals kept for page i, in an accumulator of all sinks; and what its metric has. */
static struct tm_state *state_of(void *fan, size_t i)
{
	return tm_fan_part(fan, i);
}

static void *inside_of(void *fan, size_t i)
{
	return tm_state_watched(tm_fan_part(fan, i));
}

/* Questions about the same sums have them once. */
static bool share_sums(const struct ask_group *g, void *acc)
{
	struct tm_top **top = malloc((g->npages + 1) * sizeof(struct tm_top *));
	size_t n = 0;

	for (size_t i = 0; top && i < g->npages; i++)
		if (g->page[i]->m->sums)
			top[n++] = g->page[i]->m->sums(inside_of(acc, i));
	if (top)
		tm_top_join(top, n);
	free(top);
	return top != NULL;
}

/* Tables of one metric find once what they are made of. */
static void share_finds(const struct ask_group *g, void *acc)
{
	for (size_t i = 0; i < g->npages; i++)
		for (size_t k = i + 1; g->page[i]->m->share && k < g->npages; k++)
			if (g->page[k]->m == g->page[i]->m)
				g->page[k]->m->share(inside_of(acc, k), inside_of(acc, i));
}

/* Make an accumulator of all sinks, in which questions about the same rows have one store. */
static bool share(struct ask_group *g, void *acc)
{
	const struct tm_event_sink fan = tm_fan_sink(&g->fan);
	struct tm_work_pool *pool;
	struct tm_stack_pool *stacks;

	if (!fan.init(acc, &g->fan))
		return false;
	pool = tm_fan_part(acc, g->fan.n - POOL);
	stacks = tm_fan_part(acc, g->fan.n - STACKS);
	if (!share_sums(g, acc)) {
		fan.fini(acc);
		return false;
	}
	for (size_t i = 0; i < g->npages; i++) {
		const struct tm_metric *m = g->page[i]->m;
		void *inside = inside_of(acc, i);

		if ((m->work && !tm_work_pool_join(pool, m->work(inside))) ||
		    (m->stack && !tm_stack_pool_join(stacks, m->stack(inside)))) {
			fan.fini(acc);
			return false;
		}
	}
	tm_work_pool_close(pool);
	tm_stack_pool_close(stacks);
	for (size_t i = 0; i < g->npages; i++)
		if (g->page[i]->m->lend)
			g->page[i]->m->lend(inside_of(acc, i), pool, stacks);
	share_finds(g, acc);
	return true;
}

/* What -w means is known when the first accumulator is made, before there are threads. */
static bool group_init(void *acc, const void *arg)
{
	struct ask_group *g = (struct ask_group *)(uintptr_t)arg;

	if (g->told)
		return share(g, acc);
	for (size_t i = 0; i < g->fan.n; i++) {
		struct tm_metric_opts *o = &g->o[i];
		const struct tm_metric_opts *w = &g->asked;

		o->windowed = w->windowed;
		o->some_ranks = w->some_ranks;
		o->window = w->window;
		o->nwindow = w->nwindow;
		o->plain_window = w->plain_window;
		o->plain_too = w->plain_too;
		o->open_from = w->open_from;
		o->open_to = w->open_to;
	}
	g->told = true;
	return share(g, acc);
}

/* ---- groups ---- */

/* What its times count. */
static enum tm_drive_clock clock_of(const struct ask_page *page)
{
	return tm_metric_times(page->m, &page->o);
}

static bool same_window(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : !a && !b;
}

/* Is it a time, not what was launched inside a marker? */
static bool is_time(const char *window)
{
	struct tm_window w;
	struct tm_diag d;

	return window && (!tm_window_parse(&w, window, &d) || w.kind != TM_WINDOW_LAUNCHED);
}

static const char *window_of(const struct ask_side *s, const struct ask_page *page)
{
	return page->window ? page->window : s->c->in.window;
}

/* The options of a page, as far as they are known before anything is read. */
static struct tm_metric_opts opts_of(const struct ask_side *s, const struct ask_page *page)
{
	struct tm_metric_opts o = page->o;

	o.classes = s->classes;
	o.windowed = is_time(window_of(s, page)); /* what is wanted depends on it */
	o.selected = tm_filters_select(s->c, window_of(s, page));
	o.strict = s->c->say.strict;
	o.aside = s->aside;
	o.only = &s->filter;
	return o;
}

/* Do rollups stand in for its events? */
static bool takes_rollups(const struct ask_side *s, const struct ask_page *page)
{
	const struct tm_metric_opts o = opts_of(s, page);

	return page->m->want(&o) & TM_EV_BIT(TM_EVC_SKETCH);
}

/* Would it be read for another clock alone?  With others it has to want the same of rollups. */
static bool joins(const struct ask_side *s, const struct ask_pages *p, const struct ask_page *page)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct ask_page *q = p->v[i];

		if (q->m && q->side[s->side] && clock_of(q) != clock_of(page) &&
		    same_window(window_of(s, q), window_of(s, page)) && !takes_rollups(s, q))
			return !takes_rollups(s, page);
	}
	return false;
}

static bool is_of(const struct ask_side *s, const struct ask_pages *p, const struct ask_group *g,
                  const struct ask_page *page)
{
	if (!page->m || !page->side[s->side] || !same_window(window_of(s, page), g->window))
		return false;
	return clock_of(page) == g->clock || (!g->again && joins(s, p, page));
}

static bool group_has(const struct ask_side *s, const struct ask_pages *p,
                      const struct ask_page *page)
{
	for (size_t i = 0; i < s->ngroups; i++)
		if (is_of(s, p, &s->group[i], page))
			return true;
	return false;
}

/* ---- do clocks drift? ---- */

static bool drift_init(void *acc, const void *arg)
{
	(void)arg;
	*(bool *)acc = false;
	return true;
}

static bool drift_piece(void *acc, const struct tm_piece *p)
{
	*(bool *)acc |= p->origin && p->origin->line.rate;
	return true;
}

static bool drift_take(void *acc, const struct tm_batch *b)
{
	(void)acc, (void)b;
	return true;
}

static bool drift_merge(void *into, void *from)
{
	*(bool *)into |= *(const bool *)from;
	return true;
}

static void drift_fini(void *acc)
{
	(void)acc;
}

static const struct tm_event_sink drift_sink = { .size = sizeof(bool),
	                                         .init = drift_init,
	                                         .piece = drift_piece,
	                                         .take = drift_take,
	                                         .merge = drift_merge,
	                                         .fini = drift_fini,
	                                         .mixed = true };

static bool group_drifts(const struct ask_group *g)
{
	return *(const bool *)tm_fan_part(tm_run_inside(g->acc), g->fan.n - DRIFT);
}

/* Are the times that page i was given those of its clock? */
static bool is_timed(const struct ask_group *g, size_t i)
{
	return clock_of(g->page[i]) == g->clock || !group_drifts(g);
}

/* ---- what a group reads ---- */

static bool fill_group(const struct ask_side *s, struct ask_group *g, const struct ask_pages *p)
{
	g->sink = calloc(p->n + 4, sizeof *g->sink);
	g->own = calloc(p->n + 1, sizeof *g->own);
	g->kept = calloc(p->n + 1, sizeof *g->kept);
	g->page = calloc(p->n + 1, sizeof *g->page);
	g->o = calloc(p->n + 4, sizeof *g->o);
	if (!g->sink || !g->own || !g->kept || !g->page || !g->o)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		if (!is_of(s, p, g, p->v[i]))
			continue;
		g->page[g->npages] = p->v[i];
		g->o[g->npages] = opts_of(s, p->v[i]);
		g->own[g->npages] = p->v[i]->m->sink;
		g->own[g->npages].arg = &g->o[g->npages];
		g->kept[g->npages] = (struct tm_state_opts) { &g->own[g->npages], p->v[i]->m };
		g->sink[g->npages] = tm_state_watch(&g->kept[g->npages]);
		g->npages++;
	}
	g->fan = (struct tm_fan) { g->sink, g->npages };
	if (g->digest) {
		g->o[g->fan.n] = (struct tm_metric_opts) { .domains = TM_MASK_BIT(
			                                           TM_DOMAIN_KERNEL) };
		g->sink[g->fan.n++] = tm_run_sums_sink;
	}
	for (size_t i = g->npages; i < g->fan.n; i++) {
		g->o[i].classes = s->classes;
		g->o[i].windowed = is_time(g->window);
		g->o[i].strict = s->c->say.strict;
	}
	for (size_t i = g->npages; i < g->fan.n; i++)
		g->sink[i].arg = &g->o[i];
	g->sink[g->fan.n++] = tm_stack_pool_sink;
	g->sink[g->fan.n++] = tm_work_pool_sink;
	g->sink[g->fan.n++] = drift_sink;
	return true;
}

/* All groups there are: that of the digest first. */
static bool make_groups(struct ask_side *s, const struct ask_pages *p)
{
	s->group = calloc(2 * p->n + 1, sizeof *s->group);
	if (!s->group)
		return false;
	if (s->compared)
		s->group[s->ngroups++] = (struct ask_group) { .window = s->c->in.window,
			                                      .digest = true };
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i]->m && p->v[i]->side[s->side] && !group_has(s, p, p->v[i]))
			s->group[s->ngroups++] = (struct ask_group) {
				.window = window_of(s, p->v[i]),
				.clock = clock_of(p->v[i]),
			};
	for (size_t i = 0; i < s->ngroups; i++)
		if (!fill_group(s, &s->group[i], p))
			return false;
	return true;
}

/* ---- reading ---- */

/* Findings that are there already are not said again: several tables say the same. */
static void move_new(struct tm_report *to, struct tm_report *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tm_finding *f = &from->v[i];
		bool there = false;

		for (size_t k = 0; k < to->n && !there; k++)
			there = !strcmp(to->v[k].text, f->text) && to->v[k].line == f->line &&
			        !strcmp(to->v[k].where ? to->v[k].where : "",
			                f->where ? f->where : "");
		if (!there)
			tm_report_add(to, f->severity, f->where, f->line, "%s", f->text);
	}
	to->lost |= from->lost;
	tm_report_fini(from);
}

/* Have the runs of each rank one window, as far as the table needs one?  TM_ST_END: no, and there
 * is no answer. */
static enum tm_status judge_runs(struct ask_group *g, size_t i, struct tm_report *rep)
{
	static const char give[] = "give one run at a time, or number them with RANK=FILE";
	static const char absent[] = "busy_pct and window_pct are absent";
	const struct tm_apart *runs = tm_run_apart(g->acc);
	const struct tm_state *kept = state_of(tm_run_inside(g->acc), i);
	enum tm_window_use use = tm_metric_window_use(g->page[i]->m, &g->o[i]);

	if (use == TM_WINDOW_SOME)
		g->o[i].apart = tm_apart_tell(runs, TM_SEV_NOTE, absent, rep) ||
		                tm_apart_kept(kept, TM_SEV_NOTE, absent, rep);
	else if (use == TM_WINDOW_WHOLE && (tm_apart_tell(runs, TM_SEV_ERROR, give, rep) ||
	                                    tm_apart_kept(kept, TM_SEV_ERROR, give, rep)))
		return TM_ST_END;
	if (use == TM_WINDOW_WHOLE)
		tm_apart_tell_idle(runs, kept, rep);
	return rep->lost ? TM_ST_FATAL : TM_ST_OK;
}

/* What was told, errors before notes. */
static char *text_of(const struct tm_report *told, bool notes)
{
	struct tm_buf b = { 0 };

	for (int errors = 1; errors >= !notes; errors--)
		for (size_t k = 0; k < told->n; k++)
			if ((told->v[k].severity == TM_SEV_ERROR) == errors)
				tm_buf_fmt(&b, "%s%s", b.n ? "; " : "", told->v[k].text);
	if (b.failed)
		tm_buf_fini(&b);
	return b.p;
}

/* Why a table has no rows; or where `partly` the errors of one that has some, which are notes then.
 * False when out of memory. */
static bool keep_why(struct ask_table *out, enum tm_status st, bool partly, struct tm_report *told)
{
	const bool none = st == TM_ST_END, lacks = st == TM_ST_OK && partly;
	size_t errors = 0;

	for (size_t k = 0; k < told->n; k++)
		errors += told->v[k].severity == TM_SEV_ERROR;
	if (!(none ? told->n : lacks ? errors : 0))
		return true;
	if (!out->why)
		out->why = text_of(told, none);
	for (size_t k = 0; lacks && k < told->n; k++)
		if (told->v[k].severity == TM_SEV_ERROR)
			told->v[k].severity = TM_SEV_NOTE;
	return out->why != NULL;
}

/* Ask one metric; that it has nothing to show is no fault of the inputs, but of the rules that ask.
 * Messages go into *told.  Threads may call this at the same time for different pages. */
static enum tm_status ask_page(const struct ask_side *s, struct ask_group *g, size_t i,
                               struct tm_report *told)
{
	struct ask_table *out = &g->page[i]->table[s->side];
	void *fan = tm_run_inside(g->acc);
	struct tm_state *state = state_of(fan, i);
	const struct tm_metric *m = g->page[i]->m;
	enum tm_status st = tm_state_begin(state, m, &g->o[i], told);

	if (st == TM_ST_OK)
		st = judge_runs(g, i, told);
	if (st == TM_ST_OK) {
		st = m->fill(inside_of(fan, i), &g->o[i], &out->t, told);
		if (st != TM_ST_FATAL && g->o[i].state)
			tm_state_short(state, m, &g->o[i], told);
	}
	if (st == TM_ST_OK)
		tm_table_run(&out->t);
	if (out->t.failed || told->lost)
		st = TM_ST_FATAL;
	if (s->only && s->only != g->page[i] && st == TM_ST_OK) {
		bool lost = told->lost;

		tm_report_fini(told);
		told->lost = lost;
	}
	if (!keep_why(out, st, s->partly, told))
		st = TM_ST_FATAL;
	if (st == TM_ST_END && s->only != g->page[i])
		tm_report_fini(told);
	return st == TM_ST_FATAL ? st : TM_ST_OK;
}

/* Take over the messages of page i. */
static void take_told(struct ask_side *s, const struct ask_group *g, size_t i,
                      struct tm_report *told)
{
	if (!s->totals)
		s->totals = state_of(tm_run_inside(g->acc), i)->where;
	move_new(&s->rep, told);
}

static enum tm_status fill_page(struct ask_side *s, struct ask_group *g, size_t i)
{
	struct tm_report told = { 0 };
	enum tm_status st = ask_page(s, g, i, &told);

	take_told(s, g, i, &told);
	return st;
}

/* The pages of a group, filled by several threads. */
struct asking {
	const struct ask_side *s;
	struct ask_group *g;
	struct tm_report *told; /* of each */
	size_t *turn;           /* n page numbers, in the order in which they are filled */
	size_t n;
};

static bool ask_now(const struct ask_group *g, size_t i)
{
	return !g->page[i]->late && is_timed(g, i);
}

static bool ask_one(void *arg, size_t i)
{
	const struct asking *a = arg;
	const size_t page = a->turn[i];

	return ask_page(a->s, a->g, page, &a->told[page]) == TM_ST_OK;
}

/* Does an earlier page have the same metric? */
static bool comes_again(const struct ask_group *g, size_t i)
{
	size_t k = 0;

	while (k < i && !(ask_now(g, k) && g->page[k]->m == g->page[i]->m))
		k++;
	return k < i;
}

/* Further tables of a metric come last: by then the results they share with the first are there,
 * and no thread waits for them. */
static void take_turns(struct asking *a)
{
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < a->g->npages; i++)
			if (ask_now(a->g, i) && comes_again(a->g, i) == again)
				a->turn[a->n++] = i;
}

/* Threads at most: the longest page takes about a quarter of the time of all, and each needs memory
 * of its own. */
enum { ANSWERS = 4 };

/* Fill all pages that are not late; messages come in the order of the pages. */
static enum tm_status fill_pages(struct ask_side *s, struct ask_group *g)
{
	const uint64_t jobs = tm_inputs_jobs(s->c);
	struct asking a = { .s = s,
		            .g = g,
		            .told = calloc(g->npages + 1, sizeof *a.told),
		            .turn = calloc(g->npages + 1, sizeof *a.turn) };
	bool ok = a.told && a.turn;

	if (ok) {
		take_turns(&a);
		ok = tm_each(ask_one, &a, a.n, jobs < ANSWERS ? (unsigned)jobs : ANSWERS);
	}
	for (size_t i = 0; a.told && i < g->npages; i++)
		if (ask_now(g, i))
			take_told(s, g, i, &a.told[i]);
	free(a.told);
	free(a.turn);
	return ok ? TM_ST_OK : TM_ST_FATAL;
}

/* What all of them want, and in *with_inputs what each needs only beside what operators take.
 * Rollups stand in for the events only where each can do with them. */
static tm_ev_set want_of(const struct ask_group *g, tm_ev_set *with_inputs)
{
	tm_ev_set want = g->digest ? tm_run_sums_want(&g->o[g->npages]) : 0;
	tm_ev_set all = g->digest ? want : TM_EV_ALL, always = want;

	for (size_t i = 0; i < g->npages; i++) {
		const struct tm_metric *m = g->page[i]->m;
		tm_ev_set one = m->want(&g->o[i]) | (m->state ? TM_EV_BIT(TM_EVC_STATE) : 0);

		want |= one;
		always |= m->want_with_inputs ? one & ~m->want_with_inputs(&g->o[i]) : one;
		all &= one;
	}
	*with_inputs = want & ~always;
	return all & TM_EV_BIT(TM_EVC_SKETCH) ? want : want & ~TM_EV_BIT(TM_EVC_SKETCH);
}

static enum tm_status read_group(struct ask_side *s, struct ask_group *g, struct tm_diag *d)
{
	struct tm_event_sink sink = tm_fan_sink(&g->fan);
	struct tm_window window = { 0 };
	struct common c = *s->c;
	struct runs runs = { .c = &c,
		             .window = &window,
		             .sink = &sink,
		             .arg = g,
		             .clock = g->clock,
		             .keep_apart = true };
	const struct tm_digest_opts how = { .o = g->digest ? &g->o[g->npages] : NULL,
		                            .skip = s->samples ? UINT64_MAX : 0,
		                            .samples = s->samples };
	struct tm_report rep = { 0 };
	enum tm_status st;

	runs.want = want_of(g, &runs.with_inputs);
	sink.init = group_init;
	c.in.window = g->window;
	if (g->window && !tm_window_parse(&window, g->window, d))
		return TM_ST_SKIP;
	g->asked = (struct tm_metric_opts) { .windowed = is_time(g->window),
		                             .classes = s->classes };
	g->acc = calloc(1, tm_run_size(&sink));
	st = g->acc ? tm_run_read_all(&runs, &c.operands, &g->asked, &g->extents, g->acc, &g->made,
	                              &rep, d)
	            : TM_ST_FATAL;
	move_new(&s->rep, &rep);
	if (st == TM_ST_OK && g->made)
		st = fill_pages(s, g);
	if (g->made)
		tm_work_pool_forget(tm_fan_part(tm_run_inside(g->acc), g->fan.n - POOL));
	/* What is compared with another run is one itself. */
	if (st == TM_ST_OK && g->digest)
		tm_apart_tell(tm_run_apart(g->acc), TM_SEV_ERROR, "give one run at a time",
		              &s->rep);
	if (st == TM_ST_OK && g->digest &&
	    !tm_digest_make(&s->digest, tm_fan_part(tm_run_inside(g->acc), g->npages), &how,
	                    &s->rep))
		st = TM_ST_FATAL;
	return s->rep.lost ? TM_ST_FATAL : st;
}

static bool is_piped(const struct ask_side *s)
{
	bool piped = !s->c->operands.n;

	for (size_t i = 0; i < s->c->operands.n; i++)
		piped |= !strcmp(s->c->operands.v[i], "-");
	return piped;
}

/* Standard input can be read for one group only, unless it is a file. */
static bool once(const struct ask_side *s, struct tm_diag *d)
{
	bool piped = is_piped(s);

	if (piped && s->ngroups > 1)
		tm_diag_set(d, 0,
		            "standard input can be read only once, and rules with %zu windows need "
		            "it: give a file",
		            s->ngroups);
	return !piped || s->ngroups <= 1;
}

/* Read again what group n could not have, as clocks drift: in a group after all others. */
static enum tm_status read_again(struct ask_side *s, size_t n, const struct ask_pages *p,
                                 struct tm_diag *d)
{
	struct ask_group *g = &s->group[n], *next = &s->group[s->ngroups];
	enum tm_status st = TM_ST_OK;

	for (size_t i = 0; st == TM_ST_OK && g->made && i < g->npages; i++) {
		struct ask_table *out = &g->page[i]->table[s->side];

		if (is_timed(g, i))
			continue;
		if (is_piped(s)) {
			out->why = strdup("clocks drift, and standard input can be read only once");
			st = out->why ? st : TM_ST_FATAL;
			continue;
		}
		*next = (struct ask_group) { .window = g->window,
			                     .clock = clock_of(g->page[i]),
			                     .again = true };
		s->ngroups++;
		return fill_group(s, next, p) ? read_group(s, next, d) : TM_ST_FATAL;
	}
	return st;
}

enum tm_status tm_ask_read(struct ask_side *s, struct ask_pages *p, struct tm_diag *d)
{
	enum tm_status st;
	size_t n;

	s->filter.by = tm_only_given(&s->c->in.filter);
	s->filter.words.classes = s->c->in.classes;
	st = make_groups(s, p) ? TM_ST_OK : TM_ST_FATAL;
	n = s->ngroups;
	s->digest.path = s->c->operands.n ? s->c->operands.v[0] : "-";
	if (st == TM_ST_OK && !once(s, d))
		st = TM_ST_SKIP;
	for (size_t i = 0; st == TM_ST_OK && i < n; i++) {
		st = read_group(s, &s->group[i], d);
		if (st == TM_ST_OK)
			st = read_again(s, i, p, d);
	}
	return st;
}

bool tm_ask_fill_late(struct ask_side *s, const struct ask_page *page, const char *view)
{
	for (size_t k = 0; k < s->ngroups; k++)
		for (size_t i = 0; s->group[k].made && i < s->group[k].npages; i++) {
			struct ask_group *g = &s->group[k];

			if (g->page[i] != page || !is_timed(g, i))
				continue;
			g->o[i].view = view ? view : g->o[i].view;
			/* No other page is filled meanwhile. */
			g->o[i].jobs = (unsigned)tm_inputs_jobs(s->c);
			return fill_page(s, g, i) == TM_ST_OK && !s->rep.lost;
		}
	return true;
}

bool tm_ask_again(struct ask_side *s, const struct ask_page *page, const char *view, void *own,
                  struct tm_table *t)
{
	for (size_t k = 0; k < s->ngroups; k++) {
		struct ask_group *g = &s->group[k];

		for (size_t i = 0; g->made && i < g->npages; i++) {
			struct tm_report rep = { 0 };
			struct tm_metric_opts o;
			enum tm_status st;

			if (g->page[i] != page || !is_timed(g, i))
				continue;
			o = g->o[i];
			/* Views need events. */
			if (state_of(tm_run_inside(g->acc), i)->totals)
				return true;
			o.view = view;
			o.own = own;
			st = page->m->fill(inside_of(tm_run_inside(g->acc), i), &o, t, &rep);
			if (st == TM_ST_OK)
				tm_table_run(t);
			tm_report_fini(&rep);
			return st != TM_ST_FATAL && !t->failed;
		}
	}
	return true;
}

void tm_ask_side_fini(struct ask_side *s)
{
	for (size_t i = 0; i < s->ngroups; i++) {
		struct ask_group *g = &s->group[i];

		if (g->made)
			tm_run_fini(&(struct tm_event_sink) { 0 }, g->acc);
		free(g->acc);
		free(g->extents);
		free(g->sink);
		free(g->own);
		free(g->kept);
		free(g->page);
		free(g->o);
	}
	free(s->group);
	if (s->compared)
		tm_digest_fini(&s->digest);
	tm_report_fini(&s->rep);
	s->group = NULL;
	s->ngroups = 0;
}
