/* SPDX-License-Identifier: MIT
 * Names may be hostile: no text of a trace becomes markup or leaves its element. */
#ifndef TM_HTML_ESCAPE_H
#define TM_HTML_ESCAPE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Append s[0..n) as the text of an element or of an attribute in double quotes: & < > " ' as
 * entities, control characters, bidi overrides and what is not UTF-8 as visible escapes such as
 * \x1b.  False when out of memory. */
bool tm_html_text(struct tm_buf *b, const char *s, size_t n);

/* The same of a string that ends with NUL. */
bool tm_html_str(struct tm_buf *b, const char *s);

/* The same of a sentence, as an element: no line ends within an option, between a number and its
 * "%", or after "<". */
bool tm_html_prose(struct tm_buf *b, const char *s, size_t n);

/* The same of a name of any length, cut in its middle to `limit` columns of text. */
bool tm_html_cut(struct tm_buf *b, const char *s, size_t n, size_t limit);

/* As much as is shown of a name where it is pointed at in a picture. */
enum { TM_HTML_NAME = 160 };

/* Append JSON, s[0..n), as the text of <script type="application/json">: < > &, which occur only in
 * strings, become \u003c and so on, so that the meaning is the same and the element cannot end
 * early.  False when out of memory. */
bool tm_html_json(struct tm_buf *b, const char *s, size_t n);

#endif
