/* SPDX-License-Identifier: MIT
 * From operands to a printed table. */
#include "cli/common.h"

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "cli/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool take_per(void *arg, const char *word, struct diag *d)
{
	struct job *j = arg;
	struct buf can = { 0 };

	for (unsigned i = 0; per_words[i]; i++) {
		if (!(j->m->per & 1u << i))
			continue;
		if (!strcmp(per_words[i], word)) {
			j->o->per |= 1u << i;
			buf_fini(&can);
			return true;
		}
		buf_fmt(&can, "%s%s", can.n ? ", " : "", per_words[i]);
	}
	if (can.n)
		diag_set(d, 0, "--per '%s' is none of %s", word, can.p);
	else
		diag_set(d, 0, "%s has no --per", j->m->name);
	buf_fini(&can);
	return false;
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
	if (c->per && !list_words("per", c->per, take_per, j, d))
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
		                   .in = j->in.v,
		                   .n = j->in.n,
		                   .classes = j->classes,
		                   .first = &j->first,
		                   .rep = &j->rep };

	return resolve_window(&r, &j->window, j->o, &j->extents);
}

/* The second pass repeats what the first one found, but for what went wrong in passing. */
static void keep_first_errors(struct job *j)
{
	for (size_t i = 0; i < j->first.n; i++) {
		const struct finding *f = &j->first.v[i];
		size_t k = 0;

		while (k < j->rep.n && strcmp(j->rep.v[k].text, f->text) != 0)
			k++;
		if (f->severity == SEV_ERROR && k == j->rep.n)
			report_add(&j->rep, SEV_ERROR, f->where, f->line, "%s", f->text);
	}
}

/* "top", or "gaps-list" for one of its views. */
static int print_table(const struct job *j, const struct table *t)
{
	char name[64];

	snprintf(name, sizeof name, "%s%s%s", j->m->name, j->view->option ? "-" : "",
	         j->view->option ? j->view->option : "");
	return show_table(&j->show, j->c, name, t, &j->rep);
}

static int measure(struct job *j)
{
	struct event_sink sink = j->m->sink;
	struct drive d = inputs_drive(&j->in, j->c, j->m->want(j->o));
	void *acc = calloc(1, sink.size);
	struct table t = { 0 };
	enum status st = ST_FATAL;
	int status = EXIT_TROUBLE;

	progress_init(&j->progress, j->c->tool, !j->c->no_progress && !j->c->quiet);
	d.adds = !j->m->lists;
	d.progress = progress_tell;
	d.progress_arg = &j->progress;
	sink.arg = j->o;
	if ((!j->o->windowed || find_window(j, &d) == ST_OK) && acc && sink.init(acc, j->o)) {
		st = drive_run(&d, j->in.v, j->in.n, &sink, acc, &j->rep);
		progress_done(&j->progress);
		keep_first_errors(j);
		inputs_judge(&j->in, j->c, &j->rep);
		if (st == ST_OK)
			st = j->m->fill(acc, j->o, &t, &j->rep);
		if (st != ST_FATAL &&
		    (t.failed || (!j->m->by_itself && !show_shape(&j->show, &t, &j->rep)) ||
		     j->rep.lost))
			st = ST_FATAL;
		if (st != ST_FATAL)
			status = print_table(j, &t);
		/* An empty answer is never a good one. */
		if (st == ST_END)
			status = EXIT_TROUBLE;
		table_fini(&t);
		sink.fini(acc);
	}
	if (st == ST_FATAL)
		say(j->c, NULL, 0,
		    j->o->why && *j->o->why->text ? j->o->why->text : "out of memory");
	free(acc);
	return status;
}

/* Standard input can be read once. */
static bool readable_twice(const struct job *j, struct diag *d)
{
	for (size_t i = 0; i < j->in.walk.n; i++) {
		struct stat st;
		const char *path = j->in.walk.v[i].path;

		if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode))) {
			diag_set(d, 0,
			         "-w with '+', '%%', a marker or steps reads its input twice: give "
			         "a file instead of a pipe");
			return false;
		}
	}
	return true;
}

int run_metric(struct common *c, const struct metric *m, struct metric_opts *o)
{
	struct job j = { .c = c, .m = m, .o = o };
	struct diag d = { 0 };
	int status = EXIT_TROUBLE;

	if (!c->format)
		c->format = "text";
	if (read_options(&j, &d) && inputs_find(&j.in, c, &j.rep, &d) && window_relative(&j.window))
		readable_twice(&j, &d);
	if (!*d.text)
		status = measure(&j);
	else if (j.bad_file)
		say(c, NULL, 0, d.text);
	else
		status = usage_error(c, &d);
	free(j.extents);
	inputs_fini(&j.in);
	classes_free(j.classes);
	report_fini(&j.rep);
	report_fini(&j.first);
	return status;
}
