/* SPDX-License-Identifier: MIT
 * Shared by the renderers: hostile characters, exact decimals, scaling for people. */
#ifndef TM_RENDER_RENDER_PARTS_H
#define TM_RENDER_RENDER_PARTS_H

#include "render/table.h"

#include <stdint.h>

#define MODE(id) extern const struct tm_render_mode tm_render_##id;
#include "render/modes.def"
#undef MODE

/* ---- characters (chars.c) ---- */

/* Bytes of the UTF-8 character at s, of n > 0 bytes, and its code point; 0 when s[0] does not start
 * a well-formed one (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t tm_utf8_get(const char *s, size_t n, uint32_t *cp);

/* True for what must not reach a terminal as it is: C0, DEL and C1 controls, line separators, bidi
 * overrides, invisible format characters. */
bool tm_cp_unsafe(uint32_t cp);

/* One character made harmless: itself, or a visible escape such as \n, \x1b or \u202e. */
struct glyph {
	char s[12];
	size_t n;    /* bytes in s */
	bool escape; /* s is an escape that begins with a backslash */
};

/* The character at s, of n > 0 bytes; returns how many bytes of s it took, at least 1.  Without
 * `utf8` everything outside ASCII is escaped too: a terminal that is not in UTF-8 may take the
 * bytes of a harmless letter for C1 controls. */
size_t tm_glyph_get(struct glyph *g, const char *s, size_t n, bool utf8);

/* Append the whole text made harmless. */
bool tm_put_clean(struct tm_buf *b, const char *s, size_t n, bool utf8);

/* Bytes of the first character of a harmless text of n > 0 bytes; *columns is what a terminal gives
 * it: 2 for ideographs and the like, 0 for marks on the letter before. */
size_t tm_char_width(const char *s, size_t n, size_t *columns);

/* Columns of a harmless text. */
size_t tm_text_width(const char *s, size_t n);

/* ---- numbers (human.c) ---- */

/* Append a TM_CELL_FIXED exactly: all digits, a point, 4 decimals. */
bool tm_put_fixed(struct tm_buf *b, const struct tm_cell *c);

/* Append the series of a table, a line each.  False when out of memory. */
bool tm_put_series(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx);

/* One unit for a column of times or sizes.  {0} is none. */
struct one_unit {
	uint64_t size; /* in the base unit; 0 = each number has its own */
	bool sign;     /* of those that are not below zero, too */
	unsigned places;
	const char *word; /* " ms" */
};

/* Is that the unit of the cell? */
static inline bool tm_in_unit_of(const struct tm_cell *c, const struct tm_column *column)
{
	return !c->own || c->own - 1 == (int)column->unit;
}

/* Those of the columns col[0..n), as `units` says, into out[0..n), which is {0} before: the largest
 * in which no number vanishes.  False when out of memory. */
bool tm_units_choose(const struct tm_table *t, const size_t *col, size_t n, enum tm_units units,
                     struct one_unit *out);

/* Append a number in it, all digits after the point there; nothing at all is "0" and blanks. */
void tm_put_in_unit(struct tm_buf *b, const struct tm_cell *c, const struct one_unit *u);

/* Append a harmless text of more than b->limit columns with its middle left out. */
void tm_brief_cut(struct tm_buf *out, const struct tm_brief *b, const char *s, size_t n);

/* ---- bars (text.c) and words with a color (palette.c) ---- */

/* Append a bar: of `steps` eighths of a column with UTF-8, else of as many '#'. */
void tm_put_bar(struct tm_buf *out, size_t steps, bool utf8);

/* The escape sequence of a word that says how good or bad something is, in a column of that name;
 * NULL = none. */
const char *tm_color_of_word(const char *column, const struct tm_cell *c);

/* ---- strips (chart.c) ---- */

/* The same of TM_LOOK_ROOF; false when out of memory. */
bool tm_put_roof(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx,
                 bool *done);

/* Append a table of TM_LOOK_STRIPS; *done = false: it lacks the columns, and nothing was appended.
 * False when out of memory. */
bool tm_put_strips(struct tm_buf *out, const struct tm_table *t, const struct tm_render_ctx *ctx,
                   bool *done);

/* ---- columns (render.c) ---- */

/* Header and rows with raw numbers, a line each, texts as `put` writes them: csv and tsv. */
bool tm_render_lines(struct tm_buf *out, const struct tm_table *t, char between, const char *eol,
                     bool (*put)(struct tm_buf *, const char *, size_t));

#endif
