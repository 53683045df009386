/* SPDX-License-Identifier: MIT
 * Drawings as SVG, whose lengths are those of cells of a table.  Text next to them says what they
 * show, for those who cannot see them or do not run scripts. */
#ifndef TM_HTML_DRAW_H
#define TM_HTML_DRAW_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Append the color of a family of palette.def on white as an attribute, NULL = the background of
 * pictures: a viewer that forbids styles would draw all in black. */
bool tm_html_fill(struct tm_buf *b, const char *family);

/* A part of a bar, in the colors of a family of palette.def. */
struct tm_html_part {
	const char *label;  /* text of ours */
	const char *family; /* NULL = nothing was done: the background with hatching */
	const struct tm_column *column;
	const struct tm_cell *c;
};

/* Append one bar of n labeled parts of `whole`, in the unit of the cells.  False when out of
 * memory, as for all functions here. */
bool tm_html_stack(struct tm_buf *b, const struct tm_html_part *part, size_t n, uint64_t whole);

/* Append a legend of the parts' colors, each once. */
bool tm_html_legend(struct tm_buf *b, const struct tm_html_part *part, size_t n);

/* Append a column chart of `value` for rows [from, to) of the table, labeled by `name`; with `line`
 * < ncols, a column of shares in percent, also a line of these.  `about` is our description of the
 * chart.  Rows in which `mark` is more than 0 are outlined (SIZE_MAX = none). */
struct tm_html_columns {
	const struct tm_table *t;
	size_t from, to, value, name, line, mark;
	const char *about, *family;
};
bool tm_html_columns(struct tm_buf *b, const struct tm_html_columns *c);

/* Append a flame graph of a table with a row for each path: its frames, separated by ';', and its
 * own time (columns path and self_ns).  If there are too many frames, narrow and deep ones are
 * omitted, which the text reports.  With `base`, the same table of an earlier run (or NULL), frames
 * whose time changed are marked.  `about` as above. */
bool tm_html_flame(struct tm_buf *b, const struct tm_table *t, const struct tm_table *base,
                   const char *about);

/* Append a roofline of a table with columns intensity, tflops, peak_tflops, memory_gb_per_s and
 * published_tflops, each point of the first `numbered` rows with the number of its row; nothing if
 * no row has a point.  The text below describes the lines that are drawn. */
bool tm_html_roof(struct tm_buf *b, const struct tm_table *t, size_t numbered);

/* Append a map with a line for each rank of `ranks` (column rank) and the collectives of `t` in the
 * order of its rows: the longer the others waited (arrival_skew_ns) for a rank that came last
 * (last_rank), the stronger the color.  Nothing if no rank waited. */
bool tm_html_late(struct tm_buf *b, const struct tm_table *t, const struct tm_table *ranks,
                  const char *about);

/* A lane of a table whose rows are parts of a time (column from_ns), as with TM_LOOK_STRIPS: its
 * first row and number of rows.  Rows of one lane agree in all columns before from_ns. */
struct tm_html_lane {
	size_t row, n;
};

/* The lanes of the table, *n of them, to be freed; NULL when out of memory. */
struct tm_html_lane *tm_html_lanes(const struct tm_table *t, size_t *n);

/* Append the beginning of a path of squares: the higher the level, of five, the stronger the color.
 */
bool tm_html_level(struct tm_buf *b, unsigned level);

/* Append a strip of one of `lanes` lanes: for each bin of time a stack of its parts.  The more
 * lanes, the wider its bins. */
bool tm_html_strip(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane lane,
                   size_t lanes);

/* Append a map with a line for each lane: the more of a bin was used, the stronger the color. */
bool tm_html_heat(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                  size_t n);

/* Append the lanes for the script as a JSON array of objects: rank, first and last instant
 * (strings), number of bins, fewer where lanes are many, and, for each part, its share of each bin
 * in 255ths, base64. */
bool tm_html_lanes_json(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                        size_t n);

/* Append s[0..n) in base64. */
bool tm_html_base64(struct tm_buf *b, const unsigned char *s, size_t n);

#endif
