/* SPDX-License-Identifier: MIT
 * How to show a table: -f, -s, -n and --columns. */
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

/* How one table is to look.  Those up to `whole` before tm_show_options. */
struct show {
	const struct tm_column *view; /* the columns there are, ending with name NULL */
	bool crlf;                    /* csv: as struct tm_question has it */
	bool whole;                   /* people see all rows too, unless -n says otherwise */
	/* May be set later: for people, above and below the table, NULL = nothing; and why there is
	 * no answer where that is not for want of memory. */
	const char *head, *tail;
	const struct tm_diag *why;

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

/* What -f, -s, -n and --columns ask for.  False with *d: a usage error, or out of memory. */
bool tm_show_options(struct show *s, const struct out_opts *o, struct tm_diag *d);

#endif
