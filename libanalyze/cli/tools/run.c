/* SPDX-License-Identifier: MIT
 * From operands to a printed table. */
#include "cli/frame/frame.h"

#include "cli/operands/operands.h"
#include "runs/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything one run needs, so that it can be let go at one place. */
struct job {
	struct common *c;
	const struct tm_metric *m;
	struct tm_metric_opts *o;
	const struct tm_metric_view *view;
	struct show show;
	struct inputs in;
	struct tm_window window;
	struct tm_classes *classes;
	struct tm_rank_extent *extents;
	struct tm_report rep;
	struct tm_report first; /* of the pass that measures the window */
	struct progress progress;
	bool bad_file; /* the diag is about a file, not about the command line */
};

/* ---- options ---- */

/* A metric, and what is asked of it. */
struct asked {
	const struct tm_metric *m;
	struct tm_metric_opts *o;
};

static bool take_per(void *arg, const char *word, struct tm_diag *d)
{
	const struct asked *a = arg;
	struct tm_buf can = { 0 };

	for (unsigned i = 0; tm_per_words[i]; i++) {
		if (!(a->m->per & 1u << i))
			continue;
		if (!strcmp(tm_per_words[i], word)) {
			a->o->per |= 1u << i;
			tm_buf_fini(&can);
			return true;
		}
		tm_buf_fmt(&can, "%s%s", can.n ? ", " : "", tm_per_words[i]);
	}
	if (can.n)
		tm_diag_set(d, 0, "--per: unknown word '%s'; use %s", word, can.p);
	else
		tm_diag_set(d, 0, "%s does not take --per", a->m->name);
	tm_buf_fini(&can);
	return false;
}

bool tm_read_per(const struct tm_metric *m, struct tm_metric_opts *o, const char *per,
                 struct tm_diag *d)
{
	struct asked a = { m, o };
	const struct tm_metric_view *v = tm_metric_view(m, o);

	if (v->no_per) {
		tm_diag_set(d, 0, "--%s does not take --per: it does not group", v->option);
		return false;
	}
	return tm_list_words("per", per, take_per, &a, d);
}

/* Some columns are there only with the right --per. */
static bool have_columns(const struct job *j, const char *const *names, size_t n, struct tm_diag *d)
{
	for (size_t i = 0; i < n; i++) {
		const char *per = j->m->per_of ? j->m->per_of(j->o, names[i]) : NULL;

		if (!per)
			continue;
		tm_diag_set(d, 0, "column '%s' needs --per %s", names[i], per);
		return false;
	}
	return true;
}

bool tm_filters_fit(const struct common *c, const char *name, unsigned whole, const char *instead,
                    struct tm_diag *d)
{
	const unsigned bad = tm_only_given(&c->in.filter) & whole;
	const bool agents = whole & TM_ONLY_BIT(TM_ONLY_AGENT);
	enum tm_only_by by;

	if (!bad)
		return true;
	by = (enum tm_only_by)__builtin_ctz(bad);
	if (!instead || !(TM_ONLY_BIT(by) & TM_WHOLE_KERNELS))
		instead = agents ? "with --rank" : "with --rank or --agent";
	tm_diag_set(d, 0, "%s does not take %s: its numbers relate to all work of %s; choose %s",
	            name, tm_only_option(by), agents ? "a rank" : "an agent", instead);
	return false;
}

bool tm_filters_select(const struct common *c, const char *window)
{
	struct tm_window w;
	struct tm_diag d;

	return tm_only_given(&c->in.filter) & ~TM_ONLY_BIT(TM_ONLY_RANK) ||
	       (window && tm_window_parse(&w, window, &d) && w.kind == TM_WINDOW_LAUNCHED);
}

static bool read_options(struct job *j, struct tm_diag *d)
{
	struct common *c = j->c;
	struct tm_metric_opts *o = j->o;

	j->view = tm_metric_view(j->m, o);
	j->show = (struct show) { .view = j->view->columns,
		                  .whole = j->view->whole,
		                  .why = o->why };
	if (!tm_filters_fit(j->c, j->m->name, j->m->whole, j->m->instead, d))
		return false;
	if (c->per && !tm_read_per(j->m, o, c->per, d))
		return false;
	if (!tm_show_options(&j->show, &c->out, d))
		return false;
	if (!j->show.mode->machine)
		o->width = tm_show_width(c);
	o->sort = j->show.sort;
	o->nsort = j->show.nsort;
	o->columns = c->out.columns ? j->show.columns : NULL;
	o->ncolumns = j->show.ncolumns;
	if (!have_columns(j, j->show.columns, o->ncolumns, d) ||
	    !have_columns(j, j->show.sort, o->nsort, d))
		return false;
	o->limit = j->show.limit;
	o->strict = c->say.strict;
	if (c->in.window && !tm_window_parse(&j->window, c->in.window, d))
		return false;
	o->windowed = c->in.window && j->window.kind != TM_WINDOW_LAUNCHED;
	o->selected = tm_filters_select(c, c->in.window);
	j->classes = c->in.classes ? tm_classes_load(c->in.classes, d) : tm_classes_builtin(d);
	o->classes = j->classes;
	if (!j->classes && c->in.classes) {
		j->bad_file = true;
		struct tm_diag why = *d;
		char line[24] = "";

		if (why.line)
			snprintf(line, sizeof line, ":%llu", (unsigned long long)why.line);
		tm_diag_set(d, 0, "%s%s: %s", c->in.classes, line, why.text);
	}
	return j->classes != NULL;
}

/* ---- the run ---- */

static enum tm_status find_window(struct job *j, struct tm_drive *d)
{
	const struct resolve r = { .drive = d,
		                   .in = &j->in,
		                   .common = j->c,
		                   .classes = j->classes,
		                   .first = &j->first,
		                   .rep = &j->rep };

	enum tm_status st = tm_resolve_inside(&r, &j->window, d);

	return st == TM_ST_OK && j->o->windowed
	               ? tm_resolve_window(&r, &j->window, j->o, &j->extents)
	               : st;
}

/* Ask the metric, whose accumulator has read everything unless st says why not; `watch` has the
 * spans of a window, or is NULL. */
static int answer(struct job *j, void *acc, const struct tm_span_watch *watch, enum tm_status st)
{
	const char *view = j->view->option;
	bool read = st == TM_ST_OK;
	struct tm_table t = { 0 };
	char name[64];

	if (read)
		st = j->m->fill(acc, j->o, &t, &j->rep);
	if (read && st != TM_ST_FATAL && j->o->state)
		tm_state_short(j->o->state, j->m, j->o, &j->rep);
	if (read && st != TM_ST_FATAL && watch)
		tm_explain_window(&j->window, j->c->in.window, &watch->spans, &j->rep);
	/* "top", or "gaps-list" for one of its views. */
	snprintf(name, sizeof name, "%s%s%s", j->m->name, view ? "-" : "", view ? view : "");
	return tm_answer(j->c, &j->show, name, st, &t, &j->rep);
}

/* How the inputs are read: into the metric, through those that watch what it is given. */
struct way {
	struct tm_state_opts state_opts;
	struct tm_apart_opts apart_opts;
	struct tm_event_sink own, kept, apart, sink;
	enum tm_window_use use;
	void *acc;
	struct tm_span_watch *spans; /* in acc, or NULL */
	struct tm_apart *runs;       /* in acc, or NULL */
	struct tm_state *state;      /* in acc */
	void *inside;                /* the metric's, in acc */
};

/* False when out of memory. */
static bool find_way(const struct job *j, struct way *w)
{
	w->own = j->m->sink;
	w->own.arg = j->o;
	w->use = tm_metric_window_use(j->m, j->o);
	w->state_opts = (struct tm_state_opts) { .sink = &w->own, .m = j->m };
	w->kept = tm_state_watch(&w->state_opts);
	w->apart_opts = (struct tm_apart_opts) { .sink = &w->kept, .o = j->o };
	w->apart = w->use == TM_WINDOW_UNUSED ? w->kept : tm_apart_watch(&w->apart_opts);
	w->sink = j->o->windowed ? tm_span_watch(&w->apart) : w->apart;
	w->inside = w->acc = calloc(1, w->sink.size);
	if (!w->acc)
		return false;
	if (j->o->windowed) {
		w->spans = w->acc;
		w->inside = tm_span_watched(w->acc);
	}
	if (w->use != TM_WINDOW_UNUSED) {
		w->runs = w->inside;
		w->inside = tm_apart_watched(w->runs);
	}
	w->state = w->inside;
	w->inside = tm_state_watched(w->state);
	return true;
}

/* Have the runs of each rank one window, as far as it matters?  TM_ST_END: no, and there is no
 * answer.
 */
static enum tm_status judge_runs(struct job *j, const struct way *w, struct tm_report *rep)
{
	static const char give[] = "give one run at a time, or number them with RANK=FILE";

	static const char absent[] = "busy_pct and window_pct are absent";

	if (w->use == TM_WINDOW_SOME)
		j->o->apart = tm_apart_tell(w->runs, TM_SEV_NOTE, absent, rep) ||
		              tm_apart_kept(w->state, TM_SEV_NOTE, absent, rep);
	else if (w->use == TM_WINDOW_WHOLE && (tm_apart_tell(w->runs, TM_SEV_ERROR, give, rep) ||
	                                       tm_apart_kept(w->state, TM_SEV_ERROR, give, rep)))
		return TM_ST_END;
	if (w->use == TM_WINDOW_WHOLE)
		tm_apart_tell_idle(w->runs, w->state, rep);
	return rep->lost ? TM_ST_FATAL : TM_ST_OK;
}

/* Read everything, unless st says that there is no window to read it for.  Runs of one rank are
 * said to be added up only where they are. */
static enum tm_status read_all(struct job *j, struct tm_drive *d, const struct way *w,
                               enum tm_status st)
{
	struct tm_report twice = { 0 }, runs = { 0 };

	d->twice = &twice;
	if (st == TM_ST_OK)
		st = tm_inputs_read(&j->in, j->c, d, &w->sink, w->acc, &j->rep);
	tm_progress_done(&j->progress);
	if (st == TM_ST_OK)
		st = tm_state_begin(w->state, j->m, j->o, &runs);
	if (st == TM_ST_OK)
		st = judge_runs(j, w, &runs);
	if (st == TM_ST_OK)
		tm_report_move(&j->rep, &twice);
	tm_report_severe(&j->rep, &j->first, TM_SEV_ERROR);
	tm_inputs_judge(&j->in, j->c, &j->rep);
	tm_report_move(&j->rep, &runs);
	tm_report_fini(&twice);
	return st;
}

static int measure(struct job *j)
{
	struct tm_drive d = tm_inputs_drive(&j->in, j->c, j->m->want(j->o));
	struct way w = { 0 };
	enum tm_status st;
	int status;

	tm_progress_init(&j->progress, j->c->tool, !j->c->say.no_progress && !j->c->say.quiet);
	d.clock = tm_metric_times(j->m, j->o);
	d.whole = j->m->whole_sums && !j->o->per && !j->c->in.window;
	d.progress = tm_progress_tell;
	d.progress_arg = &j->progress;
	st = find_way(j, &w) ? find_window(j, &d) : TM_ST_FATAL;
	d.want |= w.spans || w.runs ? TM_SPAN_WANT : 0;
	d.want |= j->m->state ? TM_EV_BIT(TM_EVC_STATE) : 0;
	if (st != TM_ST_FATAL && w.sink.init(w.acc, w.sink.arg)) {
		st = read_all(j, &d, &w, st);
		j->o->jobs = d.jobs;
		status = answer(j, w.inside, w.spans, st);
		w.sink.fini(w.acc);
	} else {
		status = answer(j, NULL, NULL, TM_ST_FATAL);
	}
	free(w.acc);
	return status;
}

/* ---- several runs side by side ---- */

/* One of them. */
struct one_run {
	struct tm_metric_opts o; /* -w means another window for each */
	struct tm_rank_extent *extents;
	void *acc;
	bool made;
};

/* Read run after run; the inside of each accumulator into inside[].  TM_ST_SKIP with *d: the
 * command line is wrong. */
static enum tm_status read_runs(struct job *j, struct one_run *v, void **inside, struct tm_diag *d)
{
	const struct option_list *words = &j->c->operands;
	const struct runs how = { .c = j->c,
		                  .window = &j->window,
		                  .sink = &j->m->sink,
		                  .want = j->m->want(j->o),
		                  .clock = tm_metric_times(j->m, j->o) };
	enum tm_status st = TM_ST_OK;

	for (size_t i = 0; st == TM_ST_OK && i < words->n; i++) {
		v[i].o = *j->o;
		v[i].acc = calloc(1, tm_run_size(&j->m->sink));
		if (!v[i].acc)
			return TM_ST_FATAL;
		inside[i] = tm_run_inside(v[i].acc);
		st = tm_run_read(&how, words->v[i], &v[i].o, &v[i].extents, v[i].acc, &v[i].made,
		                 &j->rep, d);
	}
	return st;
}

static int measure_runs(struct job *j, struct tm_diag *d)
{
	size_t n = j->c->operands.n;
	struct one_run *v = calloc(n + 1, sizeof *v);
	void **inside = calloc(n + 1, sizeof *inside);
	struct tm_table t = { 0 };
	enum tm_status st = v && inside ? read_runs(j, v, inside, d) : TM_ST_FATAL;
	int status;

	if (st == TM_ST_OK)
		st = j->m->fill_runs(inside, j->c->operands.v, n, j->o, &t, &j->rep);
	status = st == TM_ST_SKIP ? tm_usage_error(j->c, d)
	                          : tm_answer(j->c, &j->show, j->m->name, st, &t, &j->rep);
	for (size_t i = 0; v && i < n; i++) {
		if (v[i].made)
			tm_run_fini(&j->m->sink, v[i].acc);
		free(v[i].extents);
		free(v[i].acc);
	}
	free(v);
	free(inside);
	return status;
}

/* ---- one command ---- */

/* Is there more than one run to compare? */
static bool some_runs(const struct job *j, struct tm_diag *d)
{
	if (j->c->operands.n)
		return true;
	tm_diag_set(d, 0, "--runs needs operands: each is a run, compared with the first");
	return false;
}

static int run_job(struct job *j, bool side_by_side)
{
	struct common *c = j->c;
	struct tm_diag d = { 0 };
	int status = EXIT_TROUBLE;

	if (!c->out.format)
		c->out.format = "text";
	j->in.files = j->m->files;
	if (!read_options(j, &d))
		;
	else if (side_by_side)
		some_runs(j, &d);
	else if (tm_inputs_find(&j->in, c, &j->rep, &d) && tm_inputs_need_twice(c, &j->window))
		tm_inputs_twice(&j->in, &d);
	j->in.filter.host = j->m->keeps_host;
	j->in.filter.counted = j->m->keeps_counted;
	j->o->only = &j->in.filter;
	if (!*d.text)
		status = side_by_side ? measure_runs(j, &d) : measure(j);
	else if (j->bad_file)
		tm_say(c, TM_SEV_ERROR, NULL, 0, d.text);
	else
		status = tm_usage_error(c, &d);
	free(j->extents);
	tm_inputs_fini(&j->in);
	tm_classes_free(j->classes);
	tm_report_fini(&j->rep);
	tm_report_fini(&j->first);
	return status;
}

int tm_run_metric(struct common *c, const struct tm_metric *m, struct tm_metric_opts *o)
{
	struct job j = { .c = c, .m = m, .o = o };

	return run_job(&j, false);
}

int tm_run_metric_runs(struct common *c, const struct tm_metric *m, struct tm_metric_opts *o)
{
	struct job j = { .c = c, .m = m, .o = o };

	return run_job(&j, true);
}

int tm_run_rows(struct common *c, const struct tm_metric *m, const struct tm_metric_opts *o)
{
	const struct tm_metric_view *v = tm_metric_view(m, o);
	struct show show = { .view = v->columns, .whole = v->whole };
	struct tm_report rep = { 0 };
	struct tm_table t = { 0 };
	struct tm_diag d = { 0 };
	int status;
	bool ok;

	if (!c->out.format)
		c->out.format = "text";
	if (c->operands.n)
		tm_diag_set(&d, 0, "--%s reads no input: give none", v->option);
	if (*d.text || !tm_show_options(&show, &c->out, &d))
		return tm_usage_error(c, &d);
	tm_table_init_list(&t, v->columns);
	ok = v->rows(o->own, &t, &d);
	if (*d.text) {
		tm_table_fini(&t);
		return tm_usage_error(c, &d);
	}
	status = tm_answer(c, &show, m->name, ok ? TM_ST_OK : TM_ST_FATAL, &t, &rep);
	tm_report_fini(&rep);
	return status;
}
