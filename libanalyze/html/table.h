/* SPDX-License-Identifier: MIT
 * A table as HTML: the same cells as in any other format, for people and, as JSON, for scripts. */
#ifndef TM_HTML_TABLE_H
#define TM_HTML_TABLE_H

#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/* A table and how it is shown. */
struct tm_html_table {
	const char *id;      /* a word of ours, of this page only */
	const char *caption; /* text of ours */
	const char *command; /* prints all of it; NULL = nothing does */
	const struct tm_table *t;
	const struct tm_table *base; /* the same of the run that it is compared with, or NULL */
	size_t rows;                 /* at most; and no more than have room in ... */
	size_t bytes;                /* ... of HTML and JSON, but for the first */
	const char *opens;           /* the column whose cells open to the whole row, or NULL */
	bool (*more)(void *arg, size_t row); /* append what else is known of it; or NULL */
	size_t more_rows;                    /* of so many rows */
	void *arg;
};

/* Append the table, and a note on what is not shown.  *shown = number of rows shown.  False when
 * out of memory. */
bool tm_html_table(struct tm_buf *b, const struct tm_html_table *h, size_t *shown);

/* Append "ID":{"command":...,"columns":[...],"units":[...],"rows":[[...],...],"all":N}: all columns
 * of the first `rows` rows, as raw numbers.  Not escaped for a script element (see tm_html_json).
 * False when out of memory. */
bool tm_html_table_json(struct tm_buf *b, const struct tm_html_table *h, size_t rows);

/* Append one cell for people. */
bool tm_html_cell(struct tm_buf *b, const struct tm_column *column, const struct tm_cell *c);

/* Append a name as far as there is room, told apart from others that begin and end alike. */
struct tm_brief;
bool tm_html_name(struct tm_buf *b, struct tm_brief *brief, const struct tm_cell *c);

#endif
