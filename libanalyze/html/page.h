/* SPDX-License-Identifier: MIT
 * The page around the sections: its policy lets it load nothing, and run only the script that came
 * with it. */
#ifndef TM_HTML_PAGE_H
#define TM_HTML_PAGE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* Made by the build of report.css and palette.def, and of report.js: the texts, and the SHA-256 of
 * each in base64, as the policy has it. */
extern const char tm_html_style[], tm_html_script[];
extern const char tm_html_style_hash[], tm_html_script_hash[];

/* Append all up to the first thing in <body>: `title` is text.  False when out of memory. */
bool tm_html_begin(struct tm_buf *b, const char *title, size_t n);

/* Append the script and the end of the page. */
bool tm_html_end(struct tm_buf *b);

/* Append a section's begin, with its heading and what it is for; `id` is a word of ours.  The first
 * paragraph is `lead`, NULL = none. */
bool tm_html_section(struct tm_buf *b, const char *id, const char *title, const char *lead);
bool tm_html_section_end(struct tm_buf *b);

#endif
