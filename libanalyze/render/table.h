/* SPDX-License-Identifier: MIT
 * A table to bytes: the one place that quotes, aligns and scales. */
#ifndef TM_RENDER_TABLE_H
#define TM_RENDER_TABLE_H

#include "base/base.h"
#include "model/model.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stddef.h>

/* Units of the times of a column; TM_UNITS_AUTO: one that suits all its numbers, TM_UNITS_EACH:
 * each number has its own. */
enum tm_units { TM_UNITS_AUTO, TM_UNITS_NS, TM_UNITS_US, TM_UNITS_MS, TM_UNITS_S, TM_UNITS_EACH };

/* What the json envelope says about the run, and how text may look. */
struct tm_render_ctx {
	const char *tool;  /* "kstats" */
	const char *table; /* "top"; schema is "tracemill/<tool>-<table>/1" */
	const char *version;
	const char *const *inputs; /* paths as the user gave them */
	size_t ninputs;
	const char *window;       /* as the user typed it, NULL = none */
	const char *const *notes; /* caveats, one sentence each */
	size_t nnotes;
	unsigned width; /* text: columns of the terminal, 0 = do not shorten names */
	/* text: the unit of times */
	enum tm_units units;
	bool part;        /* text: one of the tables of a page, whose columns nobody can choose */
	bool all_columns; /* text: leave out no column, however narrow the terminal */
	enum tm_color color; /* text: escape sequences allowed */
	bool light;          /* text: the background is light */
	bool utf8;           /* text: may be UTF-8; without it all is ASCII */
	bool crlf;           /* csv: lines end with CR LF, and only what has to be quoted is */
};

/* One output mode: one file and one line in render/modes.def. */
struct tm_render_mode {
	const char *name; /* what -f takes */
	const char *about;
	bool machine; /* raw numbers, all rows by default */
	/* Append the whole table to out; false when out of memory. */
	bool (*render)(struct tm_buf *out, const struct tm_table *t,
	               const struct tm_render_ctx *ctx);
};

/* All modes, ending with NULL. */
extern const struct tm_render_mode *const tm_render_modes[];

/* The mode of that name, or NULL. */
const struct tm_render_mode *tm_render_find(const char *name);

/* Append a harmless text, its middle left out where it has more than `limit` columns, 16 at least.
 * False when out of memory. */
bool tm_render_cut(struct tm_buf *b, const char *s, size_t n, size_t limit, bool utf8);

/* Columns that a terminal gives a harmless text. */
size_t tm_render_width(const char *s, size_t n);

/* Append a text that can be shown as it is, in lines of `width` columns at most (0 = in one),
 * broken at blanks, all but the first after `indent` blanks; blanks at its beginning stay.  Without
 * a newline after the last.  A word that does not fit has a line of its own, as long as it is.
 * False when out of memory. */
bool tm_render_wrap(struct tm_buf *b, const char *s, size_t n, size_t width, size_t indent);

/* Bytes of the longest beginning of a harmless text that has at most `limit` columns. */
size_t tm_render_fit(const char *s, size_t n, size_t limit);

/* Append a text of any bytes for a person's eyes: what could drive a terminal or turn its line
 * round, and what is no UTF-8, as visible escapes such as \x1b; without `utf8` all but ASCII. False
 * when out of memory. */
bool tm_render_visible(struct tm_buf *b, const char *s, size_t n, bool utf8);

/* ---- for whoever lays a table out by itself ---- */

/* Value of a TM_CELL_U64 or TM_CELL_FIXED in ten-thousandths, without its sign, and of a
 * TM_CELL_DIGITS that is above 0; 0 for the others. */
tm_u128 tm_cell_value(const struct tm_cell *c);

/* Append a TM_CELL_U64 or TM_CELL_FIXED for people: "17.23 ms", "1.500 KiB", "62.35%", "1234567".
 * */
bool tm_put_human(struct tm_buf *b, const struct tm_cell *c, enum tm_unit unit, bool utf8);

/* Append a cell as JSON has it: null, a number or a string.  False when out of memory. */
bool tm_put_json(struct tm_buf *b, const struct tm_cell *c);

/* Indices of the columns worth showing to people: without those absent in every row, and, unless
 * `all`, those for machines only; all of them where that leaves none or there is no row.  *n of
 * them, to be freed; NULL when out of memory. */
size_t *tm_shown_columns(const struct tm_table *t, bool all, size_t *n);

/* ---- names wider than their column (brief.c) ---- */

/* {.limit, .utf8} is one that knows no names yet. */
struct tm_brief {
	size_t limit; /* columns; at least 16 */
	bool utf8;
	/* private */
	struct tm_brief_plan *plan;
	size_t n;
	struct tm_buf text, name, base;
};

/* Find out which names of a column of the table would look alike, so that tm_brief_put tells them
 * apart as far as there is room.  The table must stay.  False when out of memory. */
bool tm_brief_learn(struct tm_brief *b, const struct tm_table *t, size_t col);

/* Append a TM_CELL_TEXT, harmless and of at most b->limit columns.  False when out of memory. */
bool tm_brief_put(struct tm_buf *out, struct tm_brief *b, const struct tm_cell *c);

/* Free it; {0} again. */
void tm_brief_fini(struct tm_brief *b);

#endif
