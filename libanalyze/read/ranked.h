/* SPDX-License-Identifier: MIT
 * Rows of text, each an event of a rank, as tracecat writes them in CSV and NDJSON.
 *
 * A trace has one rank, so an input with several becomes several traces (tm_reader.origins), one
 * per rank, ascending.  The ranks must be known at open.  A file that can be read again is read
 * once before for that; everything else is buffered first, in memory up to TM_RANKED_KEEP bytes and
 * the rest in a temporary file, as are the rows of several ranks. */
#ifndef TM_READ_RANKED_H
#define TM_READ_RANKED_H

#include "read/cells.h"

enum { TM_RANKED_KEEP = 64 * 1024 * 1024, TM_RANKED_ROW = 64 * 1024 * 1024 };

/* TM_RANKED_KEEP; other values are for tests. */
extern size_t tm_ranked_keep;

/* What the last row is, where its line does not end. */
enum tm_ranked_tail {
	TM_RANKED_CUT,     /* it is cut */
	TM_RANKED_UNENDED, /* it looks whole, and may not be */
	TM_RANKED_WHOLE,   /* it is whole */
};

/* How the rows are written. */
struct tm_ranked_form {
	const char *table; /* as struct tm_reader has it */
	/* Optional: the first line p[0 .. n) is a head.  False when it is none, with *d. */
	bool (*head)(struct tm_reader *r, const char *p, size_t n, struct tm_diag *d);
	bool quotes; /* a line end inside '"' is of the row */
	/* The rank of a row.  False when it says none. */
	bool (*rank)(struct tm_reader *r, const char *p, size_t n, uint64_t *rank);
	/* Its cells; row->bad when it does not fit.  False when out of memory. */
	bool (*take)(struct tm_reader *r, const char *p, size_t n, struct tm_cell_row *row);
	enum tm_ranked_tail (*tail)(struct tm_reader *r, const char *p, size_t n, bool quoted);
};

/* An input by rows. */
struct tm_ranked_in {
	struct tm_source *src;
	struct tm_buf buf; /* buf.p[pos .. buf.n) is unread */
	size_t pos;
	uint64_t lines; /* before pos */
	uint64_t line;  /* where the row at hand begins, from 1 */
	bool eof, broken, dead, ended;
	struct tm_diag why;
};

/* A part of the temporary file. */
struct tm_ranked_chunk {
	uint64_t at;
	size_t n;
};

/* The rows of a rank, each after the number of its line and its length. */
struct tm_ranked_rows {
	uint64_t rank;
	struct tm_ranked_chunk *chunk; /* nchunk of them, then what is in memory */
	size_t nchunk, cap;
	struct tm_buf rows;
	char *path; /* of its trace */
};

/* Begins as {0}. */
struct tm_ranked {
	const struct tm_ranked_form *form;
	struct tm_cells cells;
	struct tm_ranked_in in;
	struct tm_names ids; /* the ranks, as bytes; of each: */
	struct tm_ranked_rows *v;
	size_t cap;
	struct tm_ranked_rows none; /* rows that say no rank */
	struct tm_lost unranked;    /* how many they are, and the line of the first */
	bool gathered;
	int fd; /* 1 + of the temporary file, 0 = none */
	uint64_t size;
	size_t kept;
	/* giving out what was gathered, in order; the one at hand, and its chunk */
	struct tm_ranked_rows **give;
	size_t ngive, at;
	size_t chunk, pos;
	struct tm_buf block;
	struct tm_origin *origin; /* of each rank in order, where there are several */
};

/* The functions of a reader: open and next as there, r->priv begins with a struct tm_ranked. */
enum tm_status tm_ranked_open(struct tm_reader *r, const struct tm_ranked_form *form,
                              struct tm_diag *d);
enum tm_status tm_ranked_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d);

/* Free it. */
void tm_ranked_fini(struct tm_ranked *k);

#endif
