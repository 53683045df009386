/* SPDX-License-Identifier: MIT
 * What the renderers share: hostile characters, exact decimals, scaling for people. */
#ifndef TM_RENDER_RENDER_PARTS_H
#define TM_RENDER_RENDER_PARTS_H

#include "render/table.h"

#include <stdint.h>

__extension__ typedef unsigned __int128 u128;

#define MODE(id) extern const struct render_mode render_##id;
#include "render/modes.def"
#undef MODE

/* ---- characters (chars.c) ---- */

/* Bytes of the UTF-8 character at s, of n > 0 bytes, and its code point; 0 when s[0] does not start
 * a well-formed one (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t utf8_get(const char *s, size_t n, uint32_t *cp);

/* True for what must not reach a terminal as it is: C0, DEL and C1 controls, line separators, bidi
 * overrides, invisible format characters. */
bool cp_unsafe(uint32_t cp);

/* One character made harmless: itself, or a visible escape such as \n, \x1b or \u202e. */
struct glyph {
	char s[12];
	size_t n;    /* bytes in s */
	bool escape; /* s is an escape that begins with a backslash */
};

/* The character at s, of n > 0 bytes; returns how many bytes of s it took, at least 1.  Without
 * `utf8` everything outside ASCII is escaped too: a terminal that is not in UTF-8 may take the
 * bytes of a harmless letter for C1 controls. */
size_t glyph_get(struct glyph *g, const char *s, size_t n, bool utf8);

/* Append the whole text made harmless. */
bool put_clean(struct buf *b, const char *s, size_t n, bool utf8);

/* Bytes of the first character of a harmless text of n > 0 bytes; *columns is what a terminal gives
 * it: 2 for ideographs and the like, 0 for marks on the letter before. */
size_t char_width(const char *s, size_t n, size_t *columns);

/* Columns of a harmless text. */
size_t text_width(const char *s, size_t n);

/* ---- numbers (human.c) ---- */

/* Append a CELL_FIXED exactly: all digits, a point, 4 decimals. */
bool put_fixed(struct buf *b, const struct cell *c);

/* Value of a CELL_U64 or CELL_FIXED in ten-thousandths, without its sign; 0 for the others. */
u128 cell_value(const struct cell *c);

/* Append a CELL_U64 or CELL_FIXED for people: "17.23 ms", "1.500 KiB", "62.35%", "1234567". */
bool put_human(struct buf *b, const struct cell *c, enum unit unit, bool utf8);

/* ---- names wider than their column (brief.c) ---- */

/* {.limit, .utf8} is one that knows no names yet. */
struct brief {
	size_t limit; /* columns; at least 16 */
	bool utf8;
	/* private */
	struct brief_plan *plan;
	size_t n;
	struct buf text, name, base;
};

/* Find out which names of a column of the table would look alike, so that brief_put tells them
 * apart as far as there is room.  The table must stay.  False when out of memory. */
bool brief_learn(struct brief *b, const struct table *t, size_t col);

/* Append a CELL_TEXT, harmless and of at most b->limit columns.  False when out of memory. */
bool brief_put(struct buf *out, struct brief *b, const struct cell *c);

/* Append a harmless text of more than b->limit columns with its middle left out. */
void brief_cut(struct buf *out, const struct brief *b, const char *s, size_t n);

/* Free it; {0} again. */
void brief_fini(struct brief *b);

/* ---- columns (render.c) ---- */

/* Indices of the columns worth showing to people: without those absent in every row, and, unless
 * `all`, those for machines only; all of them where that leaves none or there is no row.  *n of
 * them, to be freed; NULL when out of memory. */
size_t *shown_columns(const struct table *t, bool all, size_t *n);

/* Header and rows with raw numbers, a line each, texts as `put` writes them: csv and tsv. */
bool render_lines(struct buf *out, const struct table *t, char between, const char *eol,
                  bool (*put)(struct buf *, const char *, size_t));

#endif
