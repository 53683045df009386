/* SPDX-License-Identifier: MIT */
#include "cli/frame/show.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROWS_FOR_PEOPLE = 20 };

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

/* Is it what text prints above a column, "+HOST us", whether or not with the sign and the unit? */
static bool is_heading(const struct tm_column *col, const char *word)
{
	static const char *const units[] = { "",   " ns",  " us",  " ms",  " s",   " min", " h",
		                             " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	const char *title = col->title ? col->title : col->name;
	size_t n;

	title += *title == '+' && *word != '+';
	n = strlen(title);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strncasecmp(title, word, n) && !strcasecmp(units[i], word + n))
			return true;
	return false;
}

/* The column of that name, else the one with that heading in text, where only one has it; "IDLE" is
 * not "+IDLE" where there are both. */
static const struct tm_column *column_of(const struct show *s, const char *word)
{
	const struct tm_column *exact = NULL, *found = NULL;
	size_t nexact = 0, n = 0;

	for (const struct tm_column *col = s->view; col->name; col++) {
		if (!strcmp(col->name, word))
			return col;
		if (col->title && !strcasecmp(col->title, word)) {
			exact = col;
			nexact++;
		}
		if (is_heading(col, word)) {
			found = col;
			n++;
		}
	}
	return nexact == 1 ? exact : n == 1 ? found : NULL;
}

static bool no_column(const struct show *s, const char *option, const char *word, struct tm_diag *d)
{
	const char **names, *near;
	size_t n = 0;

	while (s->view[n].name)
		n++;
	names = calloc(n + 1, sizeof *names);
	for (size_t i = 0; names && i < n; i++)
		names[i] = s->view[i].name;
	near = names ? tm_option_nearest(word, names) : NULL;
	tm_diag_set(d, 0, "--%s: unknown column '%s'%s%s%s (--list-columns lists them)", option,
	            word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	free(names);
	return false;
}

static bool take_sort(void *arg, const char *word, struct tm_diag *d)
{
	struct show *s = arg;
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
		no_column(s, "sort", word, d);
	tm_table_fini(&t);
	return found;
}

static bool take_column(void *arg, const char *word, struct tm_diag *d)
{
	struct show *s = arg;
	const struct tm_column *col = column_of(s, word);

	if (!col)
		return no_column(s, "columns", word, d);
	if (s->ncolumns == TM_TABLE_COLUMNS) {
		tm_diag_set(d, 0, "--columns takes up to %d columns", TM_TABLE_COLUMNS);
		return false;
	}
	s->columns[s->ncolumns++] = col->name;
	return true;
}

bool tm_show_options(struct show *s, const struct out_opts *o, struct tm_diag *d)
{
	s->mode = tm_render_find(o->format ? o->format : "text");
	if (o->sort && !tm_list_words("sort", o->sort, take_sort, s, d))
		return false;
	if (o->columns && !tm_list_words("columns", o->columns, take_column, s, d))
		return false;
	s->limit = o->limit_given ? o->limit : s->mode->machine || s->whole ? 0 : ROWS_FOR_PEOPLE;
	s->limit_usual = !o->limit_given;
	return true;
}
