/* SPDX-License-Identifier: MIT
 * Tables that profilers print for people: cells between bars, a line of dashes below the header.
 * The first cell may contain bars itself: rows are split from their end. */
#ifndef TM_READ_TEXT_BOX_H
#define TM_READ_TEXT_BOX_H

#include "read/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Without blanks and tabs at both ends. */
struct tm_small_field tm_box_trim(const char *p, const char *end);

/* What stands between the outer bars of a line; blanks in front are a document's.  False: no row,
 * or the dashes below the header. */
bool tm_box_inner(const char **p, const char **end);

/* Does a line begin with a bar? */
bool tm_box_begins(const char *p, size_t n);

/* The cells of a header, from its first one on, at most `max`.  0: it is no row. */
size_t tm_box_cells(const char *p, const char *end, struct tm_small_field *cell, size_t max);

/* The cells of a row, from its last one on.  False: there are fewer. */
bool tm_box_split(const char *p, const char *end, size_t cells, struct tm_small_field *cell);

#endif
