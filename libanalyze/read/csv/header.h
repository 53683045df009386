/* SPDX-License-Identifier: MIT
 * The header row of a CSV table, and the table of csv_tables.def it belongs to. */
#ifndef TM_READ_CSV_HEADER_H
#define TM_READ_CSV_HEADER_H

#include "model/model.h"
#include "read/csv/scan.h"
#include "read/csv/table.h"

/* Flags of csv_tables.def. */
enum {
	TABLE_FIXED = 1,    /* no column is free text: words without quotes or commas inside */
	TABLE_RAGGED = 2,   /* rows may have more or fewer counters than the header names */
	TABLE_OPS = 4,      /* a row without a kernel name is a copy, named by its operation */
	TABLE_WIDE = 8,     /* columns that are nothing else are counters of the row's dispatch */
	TABLE_COUNTED = 16, /* it is this table only if there are such columns */
	TABLE_LONG =
	        32, /* a row is one counter of a dispatch, and there is no other table of those */
};

/* One line of csv_tables.def. */
struct table_def {
	enum table_format format;
	const char *label;
	enum tm_ev_kind kind;
	enum tm_domain domain;
	const char *text, *need;
	unsigned flags;
};

struct csv_head {
	const unsigned char *p; /* the name without quotes, in the caller's bytes */
	uint32_t len;
	int entry; /* line of csv_columns.def, -1 = unknown */
};

/* A header row: {0} is a valid empty one. */
struct csv_header {
	uint32_t n;
	struct csv_head *field; /* n of them */
	size_t cap;
	size_t bytes;    /* up to the first row: byte order mark, blank lines, the header itself */
	uint64_t lines;  /* newlines in those */
	bool all_quoted; /* every name stood in quotes, as rocprofv3 writes them */
	bool partial;    /* its end is not in sight: the last name, perhaps cut, is left out */
	bool oom;        /* why tm_header_parse said no */
};

/* tm_header_parse was out of memory since this was reset: a bid has no other way to say so. */
extern _Thread_local bool tm_header_no_memory;

/* Split the first line of p[0..n) that is not blank.  False when it is no table's header, or out of
 * memory.  h is {0} or was parsed before; tm_header_fini after, whatever this returned. */
bool tm_header_parse(struct csv_header *h, const unsigned char *p, size_t n, bool whole);

/* Free it; {0} again. */
void tm_header_fini(struct csv_header *h);

/* Is there a column of that name?  Case-blind.  Index, or -1. */
int tm_header_find(const struct csv_header *h, const char *name);

/* The table of that format with the most evidence, and the evidence in bits; NULL when none fits.
 */
const struct table_def *tm_header_table(const struct csv_header *h, enum table_format f,
                                        unsigned *bits);

/* No table fits, but one lacks a single column: its label and that column's usual name. */
bool tm_header_nearly(const struct csv_header *h, enum table_format f, const char **label,
                      char missing[TM_HEADER_NAME]);

/* Who writes such a header, as far as it tells; NULL when no line of csv_versions.def fits. */
const char *tm_header_producer(const struct csv_header *h, const struct table_def *t);

/* Have both the same names, in the same order?  Case-blind. */
bool tm_header_same(const struct csv_header *a, const struct csv_header *b);

/* What column i of the header means in that table: true with its event column and cell. */
bool tm_header_column(const struct csv_header *h, uint32_t i, const struct table_def *t,
                      enum tm_ev_col *col, enum csv_cell *cell);

/* Is column i a counter of that table, by its name? */
bool tm_header_counter(const struct csv_header *h, uint32_t i, const struct table_def *t);

#endif
