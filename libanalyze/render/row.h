/* SPDX-License-Identifier: MIT
 * A single text as a cell, for writers that print row by row instead of a whole table. */
#ifndef TM_RENDER_ROW_H
#define TM_RENDER_ROW_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Append a cell of RFC 4180: quoted if necessary.  False when out of memory. */
bool tm_row_text_csv(struct tm_buf *b, const char *s, size_t n);

/* Append a JSON string, with quotes; bytes that are not UTF-8 become U+FFFD, and what is unsafe on
 * a terminal is escaped.  False when out of memory. */
bool tm_row_text_json(struct tm_buf *b, const char *s, size_t n);

/* Append a text escaped for Markdown, also in a cell of a table; line ends become <br>.  False when
 * out of memory. */
bool tm_row_text_md(struct tm_buf *b, const char *s, size_t n);

/* The entity that stands for one of & < > " in XML and HTML; NULL for any other character. */
const char *tm_row_entity(char c);

/* Append a text of XML 1.0, for an element or an attribute in double quotes: characters that XML
 * does not allow, or that are unsafe on a terminal, become visible escapes such as \x1b.  False
 * when out of memory. */
bool tm_row_text_xml(struct tm_buf *b, const char *s, size_t n);

#endif
