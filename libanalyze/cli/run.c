/* SPDX-License-Identifier: MIT
 * From operands to a printed table. */
#include "cli/common.h"

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "cli/show.h"
#include "runs/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything one run needs, so that it can be let go at one place. */
struct job {
	struct common *c;
	const struct metric *m;
	struct metric_opts *o;
	const struct metric_view *view;
	struct show show;
	struct inputs in;
	struct window window;
	struct classes *classes;
	struct rank_extent *extents;
	struct report rep;
	struct report first; /* of the pass that measures the window */
	struct progress progress;
	bool bad_file; /* the diag is about a file, not about the command line */
};

/* ---- options ---- */

/* A metric, and what is asked of it. */
struct asked {
	const struct metric *m;
	struct metric_opts *o;
};

static bool take_per(void *arg, const char *word, struct diag *d)
{
	const struct asked *a = arg;
	struct buf can = { 0 };

	for (unsigned i = 0; per_words[i]; i++) {
		if (!(a->m->per & 1u << i))
			continue;
		if (!strcmp(per_words[i], word)) {
			a->o->per |= 1u << i;
			buf_fini(&can);
			return true;
		}
		buf_fmt(&can, "%s%s", can.n ? ", " : "", per_words[i]);
	}
	if (can.n)
		diag_set(d, 0, "--per: unknown word '%s'; use %s", word, can.p);
	else
		diag_set(d, 0, "%s does not take --per", a->m->name);
	buf_fini(&can);
	return false;
}

bool read_per(const struct metric *m, struct metric_opts *o, const char *per, struct diag *d)
{
	struct asked a = { m, o };

	return list_words("per", per, take_per, &a, d);
}

/* Some columns are there only with the right --per. */
static bool have_columns(const struct job *j, const char *const *names, size_t n, struct diag *d)
{
	for (size_t i = 0; i < n; i++) {
		const char *per = j->m->per_of ? j->m->per_of(j->o, names[i]) : NULL;

		if (!per)
			continue;
		diag_set(d, 0, "column '%s' needs --per %s", names[i], per);
		return false;
	}
	return true;
}

static bool read_options(struct job *j, struct diag *d)
{
	struct common *c = j->c;
	struct metric_opts *o = j->o;

	j->view = metric_view(j->m, o);
	j->show = (struct show) { .view = j->view->columns,
		                  .whole = j->view->whole,
		                  .sort_words = j->m->sort_words };
	if (c->per && !read_per(j->m, o, c->per, d))
		return false;
	if (!show_options(&j->show, c, d))
		return false;
	o->sort = j->show.sort;
	o->nsort = j->show.nsort;
	o->columns = c->columns ? j->show.columns : NULL;
	o->ncolumns = j->show.ncolumns;
	if (!have_columns(j, j->show.columns, o->ncolumns, d) ||
	    !have_columns(j, j->show.sort, o->nsort, d))
		return false;
	o->limit = j->show.limit;
	o->limit_usual = j->show.limit_usual;
	o->strict = c->strict;
	if (c->window && !window_parse(&j->window, c->window, d))
		return false;
	o->windowed = c->window != NULL;
	j->classes = c->classes ? classes_load(c->classes, d) : classes_builtin(d);
	o->classes = j->classes;
	if (!j->classes && c->classes) {
		j->bad_file = true;
		struct diag why = *d;
		char line[24] = "";

		if (why.line)
			snprintf(line, sizeof line, ":%llu", (unsigned long long)why.line);
		diag_set(d, 0, "%s%s: %s", c->classes, line, why.text);
	}
	return j->classes != NULL;
}

/* ---- the run ---- */

static enum status find_window(struct job *j, const struct drive *d)
{
	const struct resolve r = { .drive = d,
		                   .in = &j->in,
		                   .common = j->c,
		                   .classes = j->classes,
		                   .first = &j->first,
		                   .rep = &j->rep };

	return resolve_window(&r, &j->window, j->o, &j->extents);
}

/* "top", or "gaps-list" for one of its views. */
static int print_table(const struct job *j, const struct table *t)
{
	char name[64];

	snprintf(name, sizeof name, "%s%s%s", j->m->name, j->view->option ? "-" : "",
	         j->view->option ? j->view->option : "");
	return show_table(&j->show, j->c, name, t, &j->rep);
}

/* Ask the metric, whose accumulator has read everything unless st says why not; `watch` has the
 * spans of a window, or is NULL. */
static int answer(struct job *j, void *acc, const struct span_watch *watch, enum status *st)
{
	bool read = *st == ST_OK;
	struct table t = { 0 };
	int status = EXIT_TROUBLE;

	if (read)
		*st = j->m->fill(acc, j->o, &t, &j->rep);
	if (read && *st != ST_FATAL && watch)
		explain_window(&j->window, j->c->window, &watch->spans, &j->rep);
	if (*st != ST_FATAL &&
	    (t.failed || (t.ncols && !j->m->by_itself && !show_shape(&j->show, &t, &j->rep)) ||
	     j->rep.lost))
		*st = ST_FATAL;
	if (*st != ST_FATAL)
		status = print_table(j, &t);
	/* An empty answer is never a good one. */
	if (*st == ST_END)
		status = EXIT_TROUBLE;
	table_fini(&t);
	return status;
}

/* How the inputs are read: into the metric, through those that watch what it is given. */
struct way {
	struct apart_opts apart_opts;
	struct event_sink own, apart, sink;
	enum window_use use;
	void *acc;
	struct span_watch *spans; /* in acc, or NULL */
	struct apart *runs;       /* in acc, or NULL */
	void *inside;             /* the metric's, in acc */
};

/* False when out of memory. */
static bool find_way(const struct job *j, struct way *w)
{
	w->own = j->m->sink;
	w->own.arg = j->o;
	w->use = metric_window_use(j->m, j->o);
	w->apart_opts = (struct apart_opts) { .sink = &w->own, .o = j->o };
	w->apart = w->use == WINDOW_UNUSED ? w->own : apart_watch(&w->apart_opts);
	w->sink = j->o->windowed ? span_watch(&w->apart) : w->apart;
	w->inside = w->acc = calloc(1, w->sink.size);
	if (!w->acc)
		return false;
	if (j->o->windowed) {
		w->spans = w->acc;
		w->inside = span_watched(w->acc);
	}
	if (w->use != WINDOW_UNUSED) {
		w->runs = w->inside;
		w->inside = apart_watched(w->runs);
	}
	return true;
}

/* Have the runs of each rank one window, as far as it matters?  ST_END: no, and there is no answer.
 */
static enum status judge_runs(struct job *j, const struct way *w, struct report *rep)
{
	static const char give[] = "give one run at a time, or number them with RANK=FILE";

	if (w->use == WINDOW_SOME)
		j->o->apart = apart_tell(w->runs, SEV_NOTE, "busy_pct and window_pct are absent",
		                         rep);
	else if (w->use == WINDOW_WHOLE && apart_tell(w->runs, SEV_ERROR, give, rep))
		return ST_END;
	if (w->use == WINDOW_WHOLE)
		apart_tell_idle(w->runs, rep);
	return rep->lost ? ST_FATAL : ST_OK;
}

/* Read everything, unless st says that there is no window to read it for.  Runs of one rank are
 * said to be added up only where they are. */
static enum status read_all(struct job *j, struct drive *d, const struct way *w, enum status st)
{
	struct report twice = { 0 }, runs = { 0 };

	d->twice = &twice;
	if (st == ST_OK)
		st = inputs_read(&j->in, j->c, d, &w->sink, w->acc, &j->rep);
	progress_done(&j->progress);
	if (st == ST_OK)
		st = judge_runs(j, w, &runs);
	if (st == ST_OK)
		report_move(&j->rep, &twice);
	report_errors_of(&j->rep, &j->first);
	inputs_judge(&j->in, j->c, &j->rep);
	report_move(&j->rep, &runs);
	report_fini(&twice);
	return st;
}

static int measure(struct job *j)
{
	struct drive d = inputs_drive(&j->in, j->c, j->m->want(j->o));
	struct way w = { 0 };
	enum status st;
	int status = EXIT_TROUBLE;

	progress_init(&j->progress, j->c->tool, !j->c->no_progress && !j->c->quiet);
	d.clock = j->m->clock;
	d.progress = progress_tell;
	d.progress_arg = &j->progress;
	st = !find_way(j, &w) ? ST_FATAL : j->o->windowed ? find_window(j, &d) : ST_OK;
	d.want |= w.spans || w.runs ? SPAN_WANT : 0;
	if (st != ST_FATAL && w.sink.init(w.acc, w.sink.arg)) {
		st = read_all(j, &d, &w, st);
		status = answer(j, w.inside, w.spans, &st);
		w.sink.fini(w.acc);
	} else {
		st = ST_FATAL;
	}
	if (st == ST_FATAL)
		say(j->c, SEV_ERROR, NULL, 0,
		    j->o->why && *j->o->why->text ? j->o->why->text : "out of memory");
	free(w.acc);
	return status;
}

int run_metric(struct common *c, const struct metric *m, struct metric_opts *o)
{
	struct job j = { .c = c, .m = m, .o = o };
	struct diag d = { 0 };
	int status = EXIT_TROUBLE;

	if (!c->format)
		c->format = "text";
	j.in.files = m->files;
	if (read_options(&j, &d) && inputs_find(&j.in, c, &j.rep, &d) && window_relative(&j.window))
		inputs_twice(&j.in, &d);
	if (!*d.text)
		status = measure(&j);
	else if (j.bad_file)
		say(c, SEV_ERROR, NULL, 0, d.text);
	else
		status = usage_error(c, &d);
	free(j.extents);
	inputs_fini(&j.in);
	classes_free(j.classes);
	report_fini(&j.rep);
	report_fini(&j.first);
	return status;
}
