/* SPDX-License-Identifier: MIT */
#include "cli/frame/show.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROWS_FOR_PEOPLE = 20, WIDTH_WITHOUT_TERMINAL = 120 };

/* ---- options that are lists ---- */

bool tm_list_words(const char *option, const char *list,
                   bool (*take)(void *arg, const char *word, struct tm_diag *d), void *arg,
                   struct tm_diag *d)
{
	char *copy = strdup(list), *p = copy, *word;
	bool ok = copy != NULL;

	if (!ok)
		tm_diag_oom(d);
	while (ok && (word = strsep(&p, ","))) {
		if (!*word)
			tm_diag_set(d, 0, "--%s '%s': empty item in the list", option, list);
		ok = *word && take(arg, word, d);
	}
	free(copy);
	return ok;
}

/* The column of that name, else the one with that heading in text, where only one has it. */
static const struct tm_column *column_of(const struct show *s, const char *word)
{
	const struct tm_column *found = NULL;
	size_t n = 0;

	for (const struct tm_column *col = s->view; col->name; col++) {
		if (!strcmp(col->name, word))
			return col;
		if (col->title && !strcasecmp(col->title, word)) {
			found = col;
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

/* "p99", or the column it stands for: "p99_ns". */
static bool is_sort_word(const char *key, const char *word)
{
	size_t n = strlen(key);

	return !strncmp(key, word, n) && (!word[n] || !strcmp(word + n, "_ns"));
}

static bool take_any_sort(struct show *s, const char *word, struct tm_diag *d)
{
	const struct tm_column *col = column_of(s, word);
	struct tm_table t;
	bool found;
	size_t i;

	word = col ? col->name : word;
	tm_table_init_list(&t, s->view);
	i = tm_table_find(&t, word);
	found = i < t.ncols && s->nsort < SHOW_SORT_KEYS;
	if (found)
		s->sort[s->nsort++] = t.columns[i]->name;
	else
		tm_diag_set(d, 0, "--sort: unknown column '%s' (--list-columns lists them)", word);
	tm_table_fini(&t);
	return found;
}

static bool take_sort(void *arg, const char *word, struct tm_diag *d)
{
	struct show *s = arg;

	if (!s->sort_words)
		return take_any_sort(s, word, d);
	/* Shares are sorted as the totals they are shares of. */
	if (!strcmp(word, "pct") || !strcmp(word, "cum_pct"))
		word = "total";
	for (size_t i = 0; s->sort_words[i]; i++)
		if (is_sort_word(s->sort_words[i], word) && s->nsort < SHOW_SORT_KEYS) {
			s->sort[s->nsort++] = s->sort_words[i];
			return true;
		}
	tm_diag_set(d, 0,
	            "--sort: unknown key '%s'; use total, calls, avg, min, p50, p90, p99, max, "
	            "stddev, name",
	            word);
	return false;
}

static bool no_column(const struct show *s, const char *word, struct tm_diag *d)
{
	const char **names, *near;
	size_t n = 0;

	while (s->view[n].name)
		n++;
	names = calloc(n + 1, sizeof *names);
	for (size_t i = 0; names && i < n; i++)
		names[i] = s->view[i].name;
	near = names ? tm_option_nearest(word, names) : NULL;
	tm_diag_set(d, 0, "unknown column '%s'%s%s%s (--list-columns lists them)", word,
	            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	free(names);
	return false;
}

static bool take_column(void *arg, const char *word, struct tm_diag *d)
{
	struct show *s = arg;
	const struct tm_column *col = column_of(s, word);

	if (!col)
		return no_column(s, word, d);
	if (s->ncolumns == TM_TABLE_COLUMNS) {
		tm_diag_set(d, 0, "--columns takes up to %d columns", TM_TABLE_COLUMNS);
		return false;
	}
	s->columns[s->ncolumns++] = col->name;
	return true;
}

bool tm_show_options(struct show *s, const struct common *c, struct tm_diag *d)
{
	s->mode = tm_render_find(c->format ? c->format : "text");
	if (c->sort && !tm_list_words("sort", c->sort, take_sort, s, d))
		return false;
	if (c->columns && !tm_list_words("columns", c->columns, take_column, s, d))
		return false;
	s->limit = c->limit_given ? c->limit : s->mode->machine || s->whole ? 0 : ROWS_FOR_PEOPLE;
	s->limit_usual = !c->limit_given;
	return true;
}

bool tm_show_shape(const struct show *s, struct tm_table *t, struct tm_report *rep)
{
	size_t which[TM_TABLE_COLUMNS], all = t->nrows;

	for (size_t i = 0; i < s->nsort; i++)
		which[i] = tm_table_find(t, s->sort[i]);
	if (s->nsort && !tm_table_sort(t, which, s->nsort))
		return false;
	if (s->limit && s->limit < all)
		tm_table_cut(t, (size_t)s->limit);
	if (t->nrows < all && s->limit_usual)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "%zu of %zu rows; -n 0 shows all",
		              t->nrows, all);
	for (size_t i = 0; i < s->ncolumns; i++)
		which[i] = tm_table_find(t, s->columns[i]);
	return !s->ncolumns || tm_table_choose(t, which, s->ncolumns);
}

/* ---- the output ---- */

void tm_show_look(const struct common *c, struct tm_render_ctx *ctx)
{
	const char *term = getenv("TERM"), *columns = getenv("COLUMNS"),
	           *plain = getenv("NO_COLOR");
	bool tty = (!c->output || !strcmp(c->output, "-")) && isatty(STDOUT_FILENO);
	struct winsize ws;
	uint64_t width;

	/* Only what a terminal can show depends on the terminal: through a pipe, always the same
	 * bytes. */
	ctx->width = WIDTH_WITHOUT_TERMINAL;
	if (tty && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		ctx->width = ws.ws_col;
	else if (columns && tm_num_u64(columns, strlen(columns), &width) && width <= 100000)
		ctx->width = (unsigned)width;
	ctx->utf8 = tty && tm_locale_is_utf8();
	ctx->color = tty && !(plain && *plain) && term && strcmp(term, "dumb") != 0;
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

int tm_show_table(const struct show *s, const struct common *c, const char *name,
                  const struct tm_table *t, const struct tm_report *rep)
{
	struct tm_buf out = { 0 }, text = { 0 };
	const char **notes = notes_of(rep, &text);
	struct tm_render_ctx ctx = { .tool = c->tool,
		                     .table = name,
		                     .version = TRACEMILL_VERSION,
		                     .inputs = c->operands.v,
		                     .ninputs = c->operands.n,
		                     .window = c->window,
		                     .notes = notes,
		                     .nnotes = rep->n,
		                     .all_columns = s->ncolumns != 0,
		                     .crlf = s->crlf };
	int status = tm_tell(c, rep), put = EXIT_DONE;

	tm_show_look(c, &ctx);
	out.failed = !notes || text.failed;
	/* People need no heading over nothing, and a good file is worth more than an empty one; a
	 * script that reads standard output gets a table it can parse. */
	if (t->ncols && (t->nrows || s->head || (s->mode->machine && !c->output))) {
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

int tm_tell(const struct common *c, const struct tm_report *rep)
{
	size_t *more = rep->n > FEW && !c->verbose && !c->quiet ? fold(rep) : NULL;
	int status = EXIT_DONE;

	for (size_t i = 0; i < rep->n; i++) {
		const struct tm_finding *f = &rep->v[i];
		bool error = f->severity == TM_SEV_ERROR ||
		             (f->severity == TM_SEV_SKIP && c->strict);

		if (error)
			status = EXIT_TROUBLE;
		else if (f->severity == TM_SEV_NO && status == EXIT_DONE)
			status = EXIT_NO;
		if (error || f->severity == TM_SEV_NO)
			tm_say(c, TM_SEV_ERROR, f->where, f->line, f->text);
		else if (!c->quiet)
			say_note(c, f, more ? more[i] : 0);
	}
	free(more);
	return status;
}
