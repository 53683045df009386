/* SPDX-License-Identifier: MIT */
#include "cli/frame/answer.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_WITHOUT_TERMINAL = 120 };

/* ---- what there is to say ---- */

enum { FEW = 2 }; /* inputs that a note is said of one by one */

static int by_words(const struct tm_finding *a, const struct tm_finding *b)
{
	int c = strcmp(a->text, b->text);

	if (!c)
		c = (a->severity > b->severity) - (a->severity < b->severity);
	return c ? c : (a->where != NULL) - (b->where != NULL);
}

static int by_words_and_place(const void *pa, const void *pb, void *arg)
{
	const size_t *a = pa, *b = pb;
	const struct tm_report *rep = arg;
	int c = by_words(&rep->v[*a], &rep->v[*b]);

	return c ? c : (*a > *b) - (*a < *b);
}

/* Of each finding how many later ones say the same of other inputs; those are SIZE_MAX.  NULL when
 * out of memory: then each is said. */
static size_t *fold(const struct tm_report *rep)
{
	size_t *order = calloc(rep->n, sizeof *order), *more = calloc(rep->n, sizeof *more);

	if (!order || !more) {
		free(order);
		free(more);
		return NULL;
	}
	for (size_t i = 0; i < rep->n; i++)
		order[i] = i;
	qsort_r(order, rep->n, sizeof *order, by_words_and_place, (void *)(uintptr_t)rep);
	for (size_t i = 0, end; i < rep->n; i = end) {
		const struct tm_finding *f = &rep->v[order[i]];

		for (end = i + 1; end < rep->n && !by_words(f, &rep->v[order[end]]); end++)
			continue;
		if (!f->where || end - i <= FEW)
			continue;
		more[order[i]] = end - i - 1;
		for (size_t k = i + 1; k < end; k++)
			more[order[k]] = SIZE_MAX;
	}
	free(order);
	return more;
}

/* A note, once for all inputs that it is about. */
static void say_note(const struct common *c, const struct tm_finding *f, size_t more)
{
	struct tm_buf b = { 0 };

	if (more == SIZE_MAX)
		return;
	if (more)
		tm_buf_fmt(&b, "%s; the same for %zu more inputs (-v lists them)", f->text, more);
	tm_say(c, f->severity, f->where, f->line, more && !b.failed ? b.p : f->text);
	tm_buf_fini(&b);
}

static bool is_error(const struct common *c, const struct tm_finding *f)
{
	return f->severity == TM_SEV_ERROR || (f->severity == TM_SEV_SKIP && c->say.strict);
}

/* Does it say that there is nothing in the input?  After what was wrong with each file that goes
 * without saying, and would be the last thing that is read. */
static bool is_nothing(const struct tm_finding *f)
{
	static const char start[] = "nothing to show: no ", end[] = " in the input";
	const size_t n = strlen(f->text);

	return !f->where && n > sizeof end && !strncmp(f->text, start, sizeof start - 1) &&
	       !strcmp(f->text + n - (sizeof end - 1), end);
}

int tm_tell(const struct common *c, const struct tm_report *rep)
{
	bool why = false;
	size_t *more = rep->n > FEW && !c->say.verbose && !c->say.quiet ? fold(rep) : NULL;
	int status = EXIT_DONE;

	for (size_t i = 0; i < rep->n; i++) {
		const struct tm_finding *f = &rep->v[i];
		bool error = is_error(c, f);

		if (error && why && is_nothing(f))
			continue;
		why |= error && f->where;
		if (error)
			status = EXIT_TROUBLE;
		else if (f->severity == TM_SEV_NO && status == EXIT_DONE)
			status = EXIT_NO;
		if (error || f->severity == TM_SEV_NO)
			tm_say(c, TM_SEV_ERROR, f->where, f->line, f->text);
		else if (!c->say.quiet)
			say_note(c, f, more ? more[i] : 0);
	}
	free(more);
	return status;
}

/* ---- the table ---- */

/* Sort, cut and choose columns as asked; what a usual limit hides is a note in *rep.  False when
 * out of memory. */
static bool shape(const struct show *s, struct tm_table *t, struct tm_report *rep)
{
	size_t which[TM_TABLE_COLUMNS];
	uint64_t all = t->nrows + t->more, hundredths;
	struct tm_cell share;

	for (size_t i = 0; i < s->nsort; i++)
		which[i] = tm_table_find(t, s->sort[i]);
	if (s->nsort && !tm_table_sort(t, which, s->nsort))
		return false;
	if (s->limit && s->limit < t->nrows)
		tm_table_cut(t, (size_t)s->limit);
	share = tm_table_run(t);
	hundredths = (share.v.u + 50) / 100;
	if (t->nrows < all && s->limit_usual && share.type == TM_CELL_FIXED)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%zu of %" PRIu64 " rows, %" PRIu64
		              ".%02u %% of the time; -n 0 shows all",
		              t->nrows, all, hundredths / 100, (unsigned)(hundredths % 100));
	else if (t->nrows < all && s->limit_usual)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%zu of %" PRIu64 " rows; -n 0 shows all",
		              t->nrows, all);
	if (!s->mode->machine)
		tm_table_make_relative(t);
	for (size_t i = 0; i < s->ncolumns; i++)
		which[i] = tm_table_find(t, s->columns[i]);
	return !s->ncolumns || tm_table_choose(t, which, s->ncolumns);
}

static const char *set(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

/* --color, or else what the environment and the terminal say: NO_COLOR before CLICOLOR_FORCE. */
static bool color_wanted(const char *when, bool tty)
{
	const char *term = set("TERM"), *force = set("CLICOLOR_FORCE");

	if (when && strcmp(when, "auto") != 0)
		return !strcmp(when, "always");
	if (set("NO_COLOR"))
		return false;
	return (force && strcmp(force, "0") != 0) || (tty && term && strcmp(term, "dumb") != 0);
}

static enum tm_color colors_there(void)
{
	const char *term = set("TERM"), *more = set("COLORTERM");

	return (term && strstr(term, "256")) ||
	                       (more && (!strcmp(more, "truecolor") || !strcmp(more, "24bit")))
	               ? TM_COLOR_256
	               : TM_COLOR_16;
}

/* COLORFGBG, where a terminal says it: "0;15" is black on white. */
static bool background_is_light(void)
{
	const char *v = set("COLORFGBG"), *last = v ? strrchr(v, ';') : NULL;

	return last && (!strcmp(last, ";7") || !strcmp(last, ";15"));
}

bool tm_show_on_terminal(const struct common *c)
{
	return (!c->out.output || !strcmp(c->out.output, "-")) && isatty(STDOUT_FILENO);
}

unsigned tm_show_width(const struct common *c)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	uint64_t width;

	if (tm_show_on_terminal(c) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	if (columns && tm_num_u64(columns, strlen(columns), &width) && width <= 100000)
		return (unsigned)width;
	return WIDTH_WITHOUT_TERMINAL;
}

void tm_show_look(const struct common *c, struct tm_render_ctx *ctx)
{
	const bool tty = tm_show_on_terminal(c);

	/* Only what a terminal can show depends on the terminal: through a pipe, always the same
	 * bytes. */
	ctx->width = tm_show_width(c);
	ctx->utf8 = tty && tm_locale_is_utf8();
	for (size_t i = 0; c->out.unit && tm_show_units()[i]; i++)
		if (!strcmp(tm_show_units()[i], c->out.unit))
			ctx->units = (enum tm_units)i;
	ctx->color = color_wanted(c->out.color, tty) ? colors_there() : TM_COLOR_NONE;
	ctx->light = background_is_light();
}

/* "file:line: text" of every finding, for the json envelope; all of them in one buffer, each with
 * its NUL.  NULL when out of memory. */
static const char **notes_of(const struct tm_report *rep, struct tm_buf *text)
{
	const char **notes = calloc(rep->n ? rep->n : 1, sizeof *notes);
	size_t at = 0;

	for (size_t i = 0; i < rep->n; i++) {
		const struct tm_finding *f = &rep->v[i];

		if (f->where)
			tm_buf_str(text, f->where);
		if (f->where && f->line)
			tm_buf_fmt(text, ":%llu", (unsigned long long)f->line);
		tm_buf_fmt(text, "%s%s", f->where ? ": " : "", f->text);
		tm_buf_add(text, "", 1);
	}
	for (size_t i = 0; notes && !text->failed && i < rep->n; i++) {
		notes[i] = text->p + at;
		at += strlen(notes[i]) + 1;
	}
	return notes;
}

/* Findings to stderr and the table to standard output or -o.  none: there is nothing to show, which
 * is an error. */
static int print(const struct common *c, const struct show *s, const char *name, bool none,
                 const struct tm_table *t, const struct tm_report *rep)
{
	struct tm_buf out = { 0 }, text = { 0 };
	const char **notes = notes_of(rep, &text);
	const bool file = c->out.output && strcmp(c->out.output, "-") != 0;
	struct tm_render_ctx ctx = { .tool = c->tool,
		                     .table = name,
		                     .version = TRACEMILL_VERSION,
		                     .inputs = c->operands.v,
		                     .ninputs = c->operands.n,
		                     .window = c->in.window,
		                     .notes = notes,
		                     .nnotes = rep->n,
		                     .all_columns = s->ncolumns != 0,
		                     .crlf = s->crlf };
	int status = tm_tell(c, rep), put = EXIT_DONE;

	tm_show_look(c, &ctx);
	out.failed = !notes || text.failed;
	/* People need no heading over nothing; a script that reads standard output gets a table it
	 * can parse.  A good file is worth more than one that is empty because of an error, but if
	 * there is no error, what an earlier run wrote there is not the answer. */
	if (t->ncols &&
	    (t->nrows || s->head || (file ? status != EXIT_TROUBLE && !none : s->mode->machine))) {
		if (s->head && !s->mode->machine)
			tm_buf_str(&out, s->head);
		if (!out.failed && (t->nrows || s->mode->machine) &&
		    !s->mode->render(&out, t, &ctx))
			out.failed = true;
		if (s->tail && !s->mode->machine)
			tm_buf_str(&out, s->tail);
		put = tm_put_output(c, &out);
	}
	tm_buf_fini(&out);
	tm_buf_fini(&text);
	free(notes);
	return put > status ? put : status;
}

/* With --allow-empty: that there is nothing to show is a note.  Was that said? */
static bool allow_nothing(struct tm_report *rep)
{
	static const char nothing[] = "nothing to show";
	bool said = false;

	for (size_t i = 0; i < rep->n; i++) {
		struct tm_finding *f = &rep->v[i];

		if (f->severity != TM_SEV_ERROR ||
		    strncmp(f->text, nothing, sizeof nothing - 1) != 0)
			continue;
		f->severity = TM_SEV_NOTE;
		said = true;
	}
	return said;
}

int tm_answer(const struct common *c, const struct show *s, const char *name, enum tm_status st,
              struct tm_table *t, struct tm_report *rep)
{
	int status = EXIT_TROUBLE;

	if (st != TM_ST_FATAL && (t->failed || (t->ncols && !shape(s, t, rep)) || rep->lost))
		st = TM_ST_FATAL;
	if (st == TM_ST_END && c->say.allow_empty && allow_nothing(rep))
		st = TM_ST_OK;
	if (st == TM_ST_FATAL)
		tm_say(c, TM_SEV_ERROR, NULL, 0,
		       s->why && *s->why->text ? s->why->text : tm_diag_no_memory);
	else
		status = print(c, s, name, st == TM_ST_END, t, rep);
	tm_table_fini(t);
	/* An empty answer is never a good one. */
	return st == TM_ST_END ? EXIT_TROUBLE : status;
}
