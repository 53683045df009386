/* SPDX-License-Identifier: MIT
 * Render a table to bytes: the only place that quotes, aligns and scales. */
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

/* Context of a table: what the json envelope says about the run, and options of text. */
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

/* Append a printable text, with its middle omitted if it is wider than `limit` columns, at least
 * 16. False when out of memory. */
bool tm_render_cut(struct tm_buf *b, const char *s, size_t n, size_t limit, bool utf8);

/* Width of a printable text on a terminal. */
size_t tm_render_width(const char *s, size_t n);

/* Append a printable text in lines of at most `width` columns (0 = one line), broken at blanks; all
 * but the first are indented by `indent`, and leading blanks stay.  No newline after the last.  A
 * word that does not fit has a line of its own.  False when out of memory. */
bool tm_render_wrap(struct tm_buf *b, const char *s, size_t n, size_t width, size_t indent);

/* Length in bytes of the longest prefix of a printable text of at most `limit` columns. */
size_t tm_render_fit(const char *s, size_t n, size_t limit);

/* Append any bytes as printable text: what could control a terminal or reverse a line, and what is
 * not UTF-8, becomes visible escapes such as \x1b; without `utf8`, all but ASCII.  False when out
 * of memory. */
bool tm_render_visible(struct tm_buf *b, const char *s, size_t n, bool utf8);

/* ---- for callers with their own layout ---- */

/* Value of a TM_CELL_U64 or TM_CELL_FIXED in ten-thousandths, without its sign, and of a
 * TM_CELL_DIGITS that is above 0; 0 for the others. */
tm_u128 tm_cell_value(const struct tm_cell *c);

/* Append a TM_CELL_U64 or TM_CELL_FIXED for people: "17.23 ms", "1.500 KiB", "62.35%", "1234567".
 * Microseconds are "us" everywhere, as in options and the documents. */
bool tm_put_human(struct tm_buf *b, const struct tm_cell *c, enum tm_unit unit);

/* Append a cell in JSON syntax: null, a number or a string.  False when out of memory. */
bool tm_put_json(struct tm_buf *b, const struct tm_cell *c);

/* Indices of the columns to show in text: without those absent in every row and, unless `all`,
 * those for machines only; all of them if none is left or there is no row.  *n of them, to be
 * freed; NULL when out of memory. */
size_t *tm_shown_columns(const struct tm_table *t, bool all, size_t *n);

/* ---- names wider than their column (brief.c) ---- */

/* Start with {.limit, .utf8, .plain}. */
struct tm_brief {
	size_t limit; /* columns; at least 16 */
	bool utf8;
	bool plain; /* the texts are not names of kernels, which have a short form */
	/* private */
	struct tm_brief_plan *plan;
	size_t n, factor; /* columns of the limit that are for a factor at the end */
	struct tm_buf text, name, base;
};

/* Find names of a column that would look alike when shortened, so that tm_brief_put can distinguish
 * them if there is room.  The table must stay.  False when out of memory. */
bool tm_brief_learn(struct tm_brief *b, const struct tm_table *t, size_t col);

/* Append a TM_CELL_TEXT, printable and of at most b->limit columns; " x 0.5" at its end stays.
 * False when out of memory. */
bool tm_brief_put(struct tm_buf *out, struct tm_brief *b, const struct tm_cell *c);

/* Free it; {0} again. */
void tm_brief_fini(struct tm_brief *b);

#endif
