/* SPDX-License-Identifier: MIT
 * One text as a cell, for whoever writes rows as they come instead of a whole table. */
#ifndef RENDER_ROW_H
#define RENDER_ROW_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Append a cell of RFC 4180: in quotes where it has to be.  False when out of memory. */
bool row_text_csv(struct buf *b, const char *s, size_t n);

/* Append a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD, what is unsafe on a
 * terminal is escaped.  False when out of memory. */
bool row_text_json(struct buf *b, const char *s, size_t n);

#endif
