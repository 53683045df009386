/* SPDX-License-Identifier: MIT
 * The header row of a CSV table, and the table of csv_tables.def it belongs to. */
#ifndef READ_PRIV_HEADER_H
#define READ_PRIV_HEADER_H

#include "model/event.h"
#include "read/priv_scan.h"
#include "read/priv_table.h"

/* Flags of csv_tables.def. */
enum {
	TABLE_FIXED = 1,  /* no column is free text: words without quotes or commas inside */
	TABLE_RAGGED = 2, /* rows may have more or fewer counters than the header names */
	TABLE_OPS = 4,    /* a row without a kernel name is a copy, named by its operation */
};

/* One line of csv_tables.def. */
struct table_def {
	enum table_format format;
	const char *label;
	enum ev_kind kind;
	enum domain domain;
	const char *text, *need;
	unsigned flags;
};

enum { HEADER_FIELDS = 1024 }; /* wide counter tables have some hundred */

struct csv_header {
	uint32_t n;
	struct {
		const unsigned char *p; /* without quotes */
		uint32_t len;
		int entry; /* line of csv_columns.def, -1 = unknown */
	} field[HEADER_FIELDS];
	size_t bytes;    /* of the line, newline and byte order mark included */
	bool all_quoted; /* every name stood in quotes, as rocprofv3 writes them */
};

/* Split the first line of p[0..n).  False when there is no whole line or it is no table's header. */
bool header_parse(struct csv_header *h, const unsigned char *p, size_t n, bool whole);

/* Is there a column of that name?  Case-blind.  Index, or -1. */
int header_find(const struct csv_header *h, const char *name);

/* The table of that format with the most evidence, and the evidence in bits; NULL when none fits. */
const struct table_def *header_table(const struct csv_header *h, enum table_format f,
                                     unsigned *bits);

/* No table fits, but one lacks a single column: its label and that column's usual name. */
bool header_nearly(const struct csv_header *h, enum table_format f, const char **label,
                   char missing[HEADER_NAME]);

/* Who writes such a header, as far as it tells; NULL when no line of csv_versions.def fits. */
const char *header_producer(const struct csv_header *h, const struct table_def *t);

/* What column i of the header means in that table: true with its event column and cell. */
bool header_column(const struct csv_header *h, uint32_t i, const struct table_def *t,
                   enum ev_col *col, enum csv_cell *cell);

#endif
