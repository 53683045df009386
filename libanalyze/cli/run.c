/* SPDX-License-Identifier: MIT
 * From operands to a printed table. */
#include "cli/common.h"

#include "base/num.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/resolve.h"
#include "render/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS_FOR_PEOPLE = 20, WIDTH_WITHOUT_TERMINAL = 120, SORT_KEYS = 16 };

/* Everything one run needs, so that it can be let go at one place. */
struct job {
	struct common *c;
	const struct metric *m;
	struct metric_opts *o;
	const struct metric_view *view;
	const struct render_mode *mode;
	struct inputs in;
	struct window window;
	struct classes *classes;
	struct rank_extent *extents;
	const char *columns[TABLE_COLUMNS];
	const char *sort[SORT_KEYS];
	struct report rep;
	struct report first; /* of the pass that measures the window */
	struct progress progress;
	bool bad_file; /* the diag is about a file, not about the command line */
};

/* ---- options that are lists ---- */

/* Cut a comma-separated list into NUL-terminated words kept in job.words; calls back with each. */
static bool each_word(struct job *j, const char *option, const char *list,
                      bool (*take)(struct job *, const char *, struct diag *), struct diag *d)
{
	char *copy = strdup(list), *p = copy, *word;
	bool ok = copy != NULL;

	if (!ok)
		diag_oom(d);
	while (ok && (word = strsep(&p, ","))) {
		if (!*word)
			diag_set(d, 0, "--%s '%s': an empty word in the list", option, list);
		ok = *word && take(j, word, d);
	}
	free(copy);
	return ok;
}

static bool take_per(struct job *j, const char *word, struct diag *d)
{
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

/* "p99", or the column it stands for: "p99_ns". */
static bool is_sort_word(const char *key, const char *word)
{
	size_t n = strlen(key);

	return !strncmp(key, word, n) && (!word[n] || !strcmp(word + n, "_ns"));
}

/* Without a list of its own a metric sorts by any of its columns. */
static bool take_any_sort(struct job *j, const char *word, struct diag *d)
{
	struct table t;
	size_t i;

	table_init_list(&t, j->view->columns);
	i = table_find(&t, word);
	if (i == t.ncols || j->o->nsort == SORT_KEYS) {
		diag_set(d, 0, "--sort '%s' is no column (--list-columns lists them)", word);
		return false;
	}
	j->sort[j->o->nsort++] = t.columns[i]->name;
	return true;
}

static bool take_sort(struct job *j, const char *word, struct diag *d)
{
	if (!j->m->sort_words)
		return take_any_sort(j, word, d);
	/* Shares are sorted as the totals they are shares of. */
	if (!strcmp(word, "pct") || !strcmp(word, "cum_pct"))
		word = "total";
	for (size_t i = 0; j->m->sort_words[i]; i++)
		if (is_sort_word(j->m->sort_words[i], word) && j->o->nsort < SORT_KEYS) {
			j->sort[j->o->nsort++] = j->m->sort_words[i];
			return true;
		}
	diag_set(d, 0,
	         "--sort '%s' is no sort key: total, calls, avg, min, p50, p90, p99, max, stddev, "
	         "name",
	         word);
	return false;
}

static bool take_column(struct job *j, const char *word, struct diag *d)
{
	const char *names[TABLE_COLUMNS + 1] = { 0 };
	const char *near;
	size_t n = 0;

	for (const struct column *col = j->view->columns; col->name; col++) {
		if (!strcmp(col->name, word) && j->o->ncolumns < TABLE_COLUMNS) {
			j->columns[j->o->ncolumns++] = col->name;
			return true;
		}
		names[n++] = col->name;
	}
	near = option_nearest(word, names);
	diag_set(d, 0, "no column '%s'%s%s%s (--list-columns lists them)", word,
	         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
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

	j->mode = render_find(c->format);
	j->view = metric_view(j->m, o);
	o->sort = j->sort;
	if (c->per && !each_word(j, "per", c->per, take_per, d))
		return false;
	if (c->sort && !each_word(j, "sort", c->sort, take_sort, d))
		return false;
	if (c->columns && !each_word(j, "columns", c->columns, take_column, d))
		return false;
	o->columns = c->columns ? j->columns : NULL;
	if (!have_columns(j, j->columns, o->ncolumns, d) || !have_columns(j, j->sort, o->nsort, d))
		return false;
	o->limit = c->limit_given                       ? c->limit
	           : j->mode->machine || j->view->whole ? 0
	                                                : ROWS_FOR_PEOPLE;
	o->limit_usual = !c->limit_given;
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

static bool locale_is_utf8(void)
{
	static const char *const vars[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof vars / sizeof *vars; i++) {
		const char *v = getenv(vars[i]);

		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

/* Only what a terminal can show depends on the terminal: through a pipe, always the same bytes. */
static void look_of(const struct common *c, struct render_ctx *ctx)
{
	const char *term = getenv("TERM"), *columns = getenv("COLUMNS");
	bool tty = (!c->output || !strcmp(c->output, "-")) && isatty(STDOUT_FILENO);
	struct winsize ws;
	uint64_t width;

	ctx->width = WIDTH_WITHOUT_TERMINAL;
	if (tty && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		ctx->width = ws.ws_col;
	else if (columns && num_u64(columns, strlen(columns), &width) && width <= 100000)
		ctx->width = (unsigned)width;
	ctx->utf8 = tty && locale_is_utf8();
	ctx->color = tty && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
}

/* "file:line: text" of every finding, for the json envelope; all of them in one buffer, each with
 * its NUL.  NULL when out of memory. */
static const char **notes_of(const struct report *rep, struct buf *text)
{
	const char **notes = calloc(rep->n ? rep->n : 1, sizeof *notes);
	size_t at = 0;

	for (size_t i = 0; i < rep->n; i++) {
		const struct finding *f = &rep->v[i];

		if (f->where)
			buf_str(text, f->where);
		if (f->where && f->line)
			buf_fmt(text, ":%llu", (unsigned long long)f->line);
		buf_fmt(text, "%s%s", f->where ? ": " : "", f->text);
		buf_add(text, "", 1);
	}
	for (size_t i = 0; notes && !text->failed && i < rep->n; i++) {
		notes[i] = text->p + at;
		at += strlen(notes[i]) + 1;
	}
	return notes;
}

/* -s, -n and --columns, where the metric leaves them to us. */
static bool shape(struct job *j, struct table *t)
{
	const struct metric_opts *o = j->o;
	size_t which[TABLE_COLUMNS], all = t->nrows;

	if (j->m->by_itself)
		return true;
	for (size_t i = 0; i < o->nsort; i++)
		which[i] = table_find(t, o->sort[i]);
	if (o->nsort && !table_sort(t, which, o->nsort))
		return false;
	if (o->limit && o->limit < all)
		t->nrows = (size_t)o->limit;
	if (t->nrows < all && o->limit_usual)
		report_add(&j->rep, SEV_NOTE, NULL, 0, "%zu of %zu rows; -n 0 shows all", t->nrows,
		           all);
	for (size_t i = 0; i < o->ncolumns; i++)
		which[i] = table_find(t, o->columns[i]);
	return !o->columns || table_choose(t, which, o->ncolumns);
}

static int print_table(struct job *j, const struct table *t)
{
	struct buf out = { 0 }, text = { 0 };
	const char **notes = notes_of(&j->rep, &text);
	char name[64];
	struct render_ctx ctx = { .tool = j->c->tool,
		                  .table = name,
		                  .version = TRACEMILL_VERSION,
		                  .inputs = j->c->operands.v,
		                  .ninputs = j->c->operands.n,
		                  .window = j->c->window,
		                  .notes = notes,
		                  .nnotes = j->rep.n,
		                  .all_columns = j->c->columns != NULL };
	int status = inputs_tell(j->c, &j->rep), put = EXIT_DONE;

	snprintf(name, sizeof name, "%s%s%s", j->m->name, j->view->option ? "-" : "",
	         j->view->option ? j->view->option : "");
	look_of(j->c, &ctx);
	out.failed = !notes || text.failed;
	/* People need no heading over nothing, and a good file is worth more than an empty one; a
	 * script that reads standard output gets a table it can parse. */
	if (t->ncols && (t->nrows || (j->mode->machine && !j->c->output))) {
		if (!out.failed && !j->mode->render(&out, t, &ctx))
			out.failed = true;
		put = put_output(j->c, &out);
	}
	buf_fini(&out);
	buf_fini(&text);
	free(notes);
	return put > status ? put : status;
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
		if (st != ST_FATAL && (t.failed || !shape(j, &t)))
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
