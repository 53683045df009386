/* SPDX-License-Identifier: MIT
 * Drawings as SVG, whose lengths are those of cells of a table; what they are lengths of is said by
 * the words beside them, for who cannot see or does not run scripts. */
#ifndef TM_HTML_DRAW_H
#define TM_HTML_DRAW_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a bar, in the colors of a family of palette.def. */
struct tm_html_part {
	const char *label;  /* text of ours */
	const char *family; /* NULL = nothing was done: the background with hatching */
	const struct tm_column *column;
	const struct tm_cell *c;
};

/* Append one bar of n parts of `whole`, in the unit of the cells; each says what it is.  False when
 * out of memory, here as in the others. */
bool tm_html_stack(struct tm_buf *b, const struct tm_html_part *part, size_t n, uint64_t whole);

/* Append what the parts' colors mean, each once. */
bool tm_html_legend(struct tm_buf *b, const struct tm_html_part *part, size_t n);

/* Append columns as high as the cells of column `value` of rows [from, to) of the table, which are
 * called by column `name`; with `line` < ncols, a share in percent, a line of that as well.
 * `about` says in words of ours what is seen; those rows of which column `mark` holds more than
 * nothing are outlined (SIZE_MAX = none). */
struct tm_html_columns {
	const struct tm_table *t;
	size_t from, to, value, name, line, mark;
	const char *about, *family;
};
bool tm_html_columns(struct tm_buf *b, const struct tm_html_columns *c);

/* Append a flame graph of a table with a row for each path, frames with ';' between them, and the
 * time of that path alone (columns path and self_ns): wide frames, and not too deep where there are
 * too many; it says what is left out.  With `base`,
 * the same of an earlier run, or NULL, frames whose time is another are marked.  `about` as
 * above. */
bool tm_html_flame(struct tm_buf *b, const struct tm_table *t, const struct tm_table *base,
                   const char *about);

/* Append a roofline of the rows of a table with columns intensity, tflops, peak_tflops,
 * memory_gb_per_s and published_tflops, each point with the number of its row; nothing where no row
 * has one.  `about` as above. */
bool tm_html_roof(struct tm_buf *b, const struct tm_table *t, const char *about);

/* Append a map with a line for each rank of `ranks` (its column rank) of the collectives in `t`, in
 * the order of its rows: the longer the others waited (arrival_skew_ns) for a rank that came last
 * (last_rank), the darker.  Nothing where nobody waited. */
bool tm_html_late(struct tm_buf *b, const struct tm_table *t, const struct tm_table *ranks,
                  const char *about);

/* Lanes of a table whose rows are parts of something (column from_ns), as of TM_LOOK_STRIPS: where
 * each begins and of how many rows it is.  Rows of one lane agree in all columns before that. */
struct tm_html_lane {
	size_t row, n;
};

/* The lanes of the table, *n of them, to be freed; NULL when out of memory. */
struct tm_html_lane *tm_html_lanes(const struct tm_table *t, size_t *n);

/* Append a strip of one lane: in each column the parts of that time, one above the other. */
bool tm_html_strip(struct tm_buf *b, const struct tm_table *t, struct tm_html_lane lane);

/* Append a map of lanes, each a line, the darker the more of that time was used. */
bool tm_html_heat(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                  size_t n);

/* Append the lanes for the script: a JSON array of objects with the rank, the first and the last
 * instant as strings, the number of bins, and for each part its share of each bin in 255ths,
 * base64. */
bool tm_html_lanes_json(struct tm_buf *b, const struct tm_table *t, const struct tm_html_lane *lane,
                        size_t n);

/* Append s[0..n) in base64. */
bool tm_html_base64(struct tm_buf *b, const unsigned char *s, size_t n);

#endif
