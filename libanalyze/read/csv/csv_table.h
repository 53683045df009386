/* SPDX-License-Identifier: MIT
 * Internals of the readers of trace tables in CSV.
 *
 *   csv_table.c        the header, what is wanted of it, and the bytes
 *   csv_table_rows.c   rows into batches of events
 */
#ifndef TM_READ_CSV_CSV_TABLE_H
#define TM_READ_CSV_CSV_TABLE_H

#include "base/base.h"
#include "read/csv/csv_row.h"
#include "read/csv/header.h"
#include "read/instances.h"

#include <string.h>

/* A column that is a counter of the row's dispatch. */
struct counter_column {
	uint32_t at, name; /* column of the header; id in the reader's names */
	bool number;       /* of the rows that were looked at, one had a number there, ... */
	bool text;         /* ... or something that is none */
};

/* What such a column says of row `row` of the batch. */
struct counter_cell {
	uint32_t row, name;
	uint64_t value; /* real */
};

/* What is still to be given of the batch that was read last. */
enum rest {
	REST_NONE,
	REST_CELLS, /* the counters of its rows */
	REST_ROWS,  /* the rows themselves: so far only their dispatches were given */
};

struct csv_table {
	const struct table_def *def;

	/* the header, bound */
	struct tm_buf head; /* its line */
	struct csv_shape shape;
	unsigned char *types;     /* shape.type */
	size_t room;              /* columns there is room for in types and fields */
	struct scan_field *bound; /* every wanted field, `at` counted over the whole row */
	uint32_t nbound;
	tm_ev_set need;     /* columns without which a row is malformed */
	tm_ev_set fast_has; /* columns of a row the scanner took */
	bool fast;          /* the scanner may be used at all */
	bool quoted_numbers;
	int operation; /* TABLE_OPS: column that names a copy */
	bool per_xcc;  /* TABLE_WIDE: a dispatch has a row for each XCC of the GPU */
	int address;   /* column that rocprofv3 quotes though it is a number, or -1 */
	struct counter_column *counter; /* TABLE_WIDE: when the caller wants their values */
	uint32_t ncounter;

	/* the bytes: data[pos..n) is unread, data[0] stands at offset `base` of the input */
	struct tm_source *src;
	int fd; /* a split reads here, at any place */
	unsigned char *data;
	size_t pos, n, cap;
	uint64_t base, end; /* rows that begin at or after `end` are not ours */
	bool whole;         /* nothing follows data[n) */
	bool broken;        /* ... because the source failed, or another table follows: why */
	bool other;         /* ... the latter: what is after it is not ours in any range */
	struct tm_diag why;

	/* the rows */
	struct csv_memo memo;
	struct csv_field *fields;
	struct csv_scan *scan;
	scan_rows_fn *scan_rows;
	void *store; /* the arrays of the batch */
	struct tm_batch batch;
	struct tm_buf text; /* a name with its quotes made single */
	bool inexact;       /* a time of the row at hand was rounded ... */
	bool shown;         /* ... or lacks digits: tm_num_shown */
	bool ragged;        /* the row at hand has more or fewer counters than the header */
	uint64_t line[TM_BATCH_ROWS]; /* where each row of the batch began */

	/* a second batch out of the rows of the first */
	struct tm_batch more;
	void *more_store;
	enum rest rest;
	struct counter_cell *cell;
	size_t ncell, cell_cap, taken; /* of them, given already */
	struct tm_instances seen;      /* TABLE_LONG, per_xcc: the dispatches so far */
	uint32_t of[TM_BATCH_ROWS];    /* rows of the batch: which of them */
	uint32_t fresh[TM_BATCH_ROWS]; /* rows of the batch that are the first of theirs */
	uint32_t nfresh;
};

static inline struct csv_table *table_of(const struct tm_reader *r)
{
	struct csv_table *t;

	memcpy(&t, r->priv, sizeof t);
	return t;
}

/* More bytes after data[n): false when there are none, or out of memory (then *oom). */
bool tm_table_refill(struct csv_table *t, bool *oom);

/* Room for a row of that many columns.  False when out of memory. */
bool tm_table_room(struct csv_table *t, size_t n);

/* What a cell of a counter is: 1 = a number, in *v; 0 = nothing, or "None"; -1 = anything else,
 * such as "nan". */
int tm_table_counter(const struct csv_field *f, double *v);

#endif
