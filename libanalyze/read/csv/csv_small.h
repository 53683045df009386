/* SPDX-License-Identifier: MIT
 * What the readers of small inputs share: a whole small table through libcsv, and a way to build
 * batches row by row. */
#ifndef TM_READ_CSV_CSV_SMALL_H
#define TM_READ_CSV_CSV_SMALL_H

#include "base/base.h"
#include "read/csv/csv_row.h"
#include "read/reader.h"

#include <csv.h>

enum {
	SMALL_MAX = 256 * 1024 * 1024, /* bytes of a table that is read whole */
	SMALL_BINDS = 16,
};

/* A column a reader asks for.  Names are compared case-blind, with '_', '-' and ' ' equal; the
 * first of them that the header has wins. */
struct csv_bind {
	const char *names; /* separated by commas */
	enum csv_type type;
	bool required;
};

/* A field of a row, without its quotes.  p is not NULL. */
struct small_field {
	const char *p;
	size_t n;
};

/* A table in memory and the row at hand.  Rows are read by libcsv; where it refuses a record or
 * finds the wrong number of columns, csv_row_split has the last word, and libcsv goes on behind.
 * A table is taken as rocprof's own (quotes inside a name are not doubled) when its header is
 * quoted and its numbers are not; anything else went through a program that doubles them. */
struct csv_small {
	struct reader *reader; /* of events: told which columns nobody takes; NULL = none */
	/* private */
	struct buf bytes;
	struct diag broken; /* why the source gave no more */
	bool is_broken;
	size_t body, pos;   /* where the rows begin, and the next one */
	uint64_t line;      /* lines before pos */
	uint64_t body_line; /* ... before body */
	struct csv_shape shape;
	struct csv_memo memo;
	struct csv_field *split;
	unsigned char *type;
	int col[SMALL_BINDS]; /* column of each bind, -1 = the table has none */
	size_t nbind;
	struct csv_parser csv;
	bool csv_live, row_done, failed;
	struct buf text;  /* the fields of the row */
	size_t *end;      /* field i ends at end[i] in text */
	uint32_t nfields; /* of the row so far; may pass ncols */
	struct small_field field[SMALL_BINDS];
};

/* Bits of evidence: 8 for each required column when the first line has them all, else 0.  Pure. */
unsigned csv_small_bid(const struct csv_bind *bind, size_t nbind, const unsigned char *p, size_t n,
                       bool whole);

/* Read the source to its end and bind the columns; `text` lists the binds, best first, ending with
 * -1, of which the first present one is the free text.  ST_OK; ST_FATAL with *d: out of memory,
 * larger than SMALL_MAX, a required column missing, or nothing readable at all.  {0} before;
 * csv_small_fini after, whatever this returned. */
enum status csv_small_open(struct csv_small *t, struct source *src, const struct csv_bind *bind,
                           size_t nbind, const int *text, struct diag *d);

/* Does the table have that column? */
bool csv_small_has(const struct csv_small *t, size_t bind);

/* Next row: ST_OK with *f[bind] for every bind the table has, valid until the next call, *line =
 * its first line; ST_END; ST_FATAL with *d: out of memory, or all rows were given and the source
 * broke behind them.  Rows that do not fit are counted in *loss, which is not touched otherwise. */
enum status csv_small_next(struct csv_small *t, struct loss *loss, const struct small_field **f,
                           uint64_t *line, struct diag *d);

/* Back to the first row. */
void csv_small_rewind(struct csv_small *t);

/* Lines of the input up to the next row. */
uint64_t csv_small_lines(const struct csv_small *t);

/* rocprofv3 wrote the column, if it is the last: LAST_DECIMALS (read/csv/csv_row.h). */
void csv_small_decimals(struct csv_small *t, size_t bind);

/* Free it. */
void csv_small_fini(struct csv_small *t);

/* One event being put together: {0}, then ev_put for what there is. */
struct ev_row {
	ev_set has;
	uint64_t v[EVC_N];
};

static inline void ev_put(struct ev_row *row, enum ev_col c, uint64_t v)
{
	row->has |= EV_BIT(c);
	row->v[c] = v;
}

/* Rows being collected, and given out in batches.  {0} with b.kind set is valid and empty. */
struct ev_rows {
	struct batch b; /* what is given out; kind is the caller's */
	/* private */
	ev_set *row_has;
	uint64_t *col[EVC_N]; /* n rows, of which `taken` were given out */
	size_t n, taken, cap;
};

/* Append; false when out of memory.  There may be more rows than a batch holds: those of one event
 * that has many.  Readers stop at a batch. */
bool ev_rows_add(struct ev_rows *o, const struct ev_row *row);

/* Rows that were not taken yet. */
static inline size_t ev_rows_n(const struct ev_rows *o)
{
	return o->n - o->taken;
}

/* Has each of out[0 .. n) room for that many rows? */
static inline bool ev_rows_room(const struct ev_rows *out, size_t n, uint32_t rows)
{
	for (size_t i = 0; i < n; i++)
		if (ev_rows_n(&out[i]) > BATCH_ROWS - rows)
			return false;
	return true;
}

/* The first rows not taken yet, as many as a batch holds, valid until the next ev_rows_add. */
const struct batch *ev_rows_take(struct ev_rows *o, const struct names *names);

/* How a reader's `next` ends, when a batch is full or nothing more can be read: the fullest of
 * out[0 .. n), of several the first, in *b and ST_OK; when all are empty ST_END, or ST_FATAL with
 * *why in *d where `why`, what the reader died of, is not NULL. */
enum status ev_rows_next(struct ev_rows *out, size_t n, const struct names *names,
                         const struct diag *why, const struct batch **b, struct diag *d);

/* Free those of out[0 .. n). */
void ev_rows_fini_all(struct ev_rows *out, size_t n);

/* Free it. */
void ev_rows_fini(struct ev_rows *o);

#endif
