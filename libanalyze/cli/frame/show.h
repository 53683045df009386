/* SPDX-License-Identifier: MIT
 * A table to where the user wants it: -f, -s, -n and --columns, and what there is to say beside it.
 */
#ifndef TM_CLI_SHOW_H
#define TM_CLI_SHOW_H

#include "cli/frame/common.h"
#include "model/model.h"
#include "render/render.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHOW_SORT_KEYS = 16 };

/* How one table is to look.  {.view, .crlf, .whole, .sort_words} before tm_show_options. */
struct show {
	const struct tm_column *view;  /* the columns there are, ending with name NULL */
	bool crlf;                     /* csv: as struct tm_question has it */
	bool whole;                    /* people see all rows too, unless -n says otherwise */
	const char *const *sort_words; /* what -s takes, ending with NULL; NULL = any column */
	const char *head,
	        *tail; /* for people, above and below the table; may be set later; NULL = nothing */

	const struct tm_render_mode *mode;
	const char *columns[TM_TABLE_COLUMNS]; /* ncolumns names, 0 = the usual ones */
	const char *sort[SHOW_SORT_KEYS];      /* nsort keys, most important first */
	size_t ncolumns, nsort;
	uint64_t limit;   /* rows at most, 0 = all */
	bool limit_usual; /* the limit is not the user's wish: say what it hides */
};

/* Call take(arg, word, d) for each word of a comma-separated list that --option gave; the words do
 * not outlive the call.  False when a word is empty, out of memory, or take says so, with *d. */
bool tm_list_words(const char *option, const char *list,
                   bool (*take)(void *arg, const char *word, struct tm_diag *d), void *arg,
                   struct tm_diag *d);

/* Read -f, -s, -n and --columns of *c.  False with *d: a usage error, or out of memory. */
bool tm_show_options(struct show *s, const struct common *c, struct tm_diag *d);

/* Sort, cut and choose columns as asked; what a usual limit hides is a note in *rep.  False when
 * out of memory. */
bool tm_show_shape(const struct show *s, struct tm_table *t, struct tm_report *rep);

/* Print the findings to stderr (see tell) and the table to standard output or -o; `name` is that of
 * the table in the json schema.  Returns the exit status, EXIT_TROUBLE when something could not be
 * written. */
int tm_show_table(const struct show *s, const struct common *c, const char *name,
                  const struct tm_table *t, const struct tm_report *rep);

/* Fill in how text may look where the output goes: width, color, utf8. */
void tm_show_look(const struct common *c, struct tm_render_ctx *ctx);

/* Findings to stderr, notes not with -q; returns the exit status they ask for. */
int tm_tell(const struct common *c, const struct tm_report *rep);

#endif
