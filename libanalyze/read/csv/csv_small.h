/* SPDX-License-Identifier: MIT
 * Reads a small table completely, with libcsv. */
#ifndef TM_READ_CSV_CSV_SMALL_H
#define TM_READ_CSV_CSV_SMALL_H

#include "base/base.h"
#include "read/batch.h"
#include "read/csv/csv_row.h"
#include "read/reader.h"

#include <csv.h>

enum { SMALL_BINDS = 16 };

/* A column a reader asks for.  Names are compared case-blind, with '_', '-' and ' ' equal; the
 * first of them that the header has wins. */
struct csv_bind {
	const char *names; /* separated by commas */
	enum csv_type type;
	bool required;
};

/* A table in memory and the row at hand.  Rows are read by libcsv; where it refuses a record or
 * finds the wrong number of columns, tm_csv_row_split has the last word, and libcsv goes on after.
 * A table is taken as rocprof's own (quotes inside a name are not doubled) when its header is
 * quoted and its numbers are not; anything else went through a program that doubles them. */
struct csv_small {
	struct tm_reader *reader; /* of events: told which columns nobody takes; NULL = none */
	/* private */
	struct tm_buf bytes;
	struct tm_diag broken; /* why the source gave no more */
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
	struct tm_buf text; /* the fields of the row */
	size_t *end;        /* field i ends at end[i] in text */
	uint32_t nfields;   /* of the row so far; may pass ncols */
	struct tm_small_field field[SMALL_BINDS];
};

/* Bits of evidence: 8 for each required column when the first line has them all, else 0.  Pure. */
unsigned tm_csv_small_bid(const struct csv_bind *bind, size_t nbind, const unsigned char *p,
                          size_t n, bool whole);

/* Read the source to its end and bind the columns; `text` lists the binds, best first, ending with
 * -1, of which the first present one is the free text.  TM_ST_OK; TM_ST_FATAL with *d: out of
 * memory, larger than TM_SMALL_MAX, a required column missing, or nothing readable at all.  {0}
 * before; tm_csv_small_fini after, whatever this returned. */
enum tm_status tm_csv_small_open(struct csv_small *t, struct tm_source *src,
                                 const struct csv_bind *bind, size_t nbind, const int *text,
                                 struct tm_diag *d);

/* Does the table have that column? */
bool tm_csv_small_has(const struct csv_small *t, size_t bind);

/* Next row: TM_ST_OK with *f[bind] for every bind the table has, valid until the next call, *line =
 * its first line; TM_ST_END; TM_ST_FATAL with *d: out of memory, or all rows were given and the
 * source broke after them.  Rows that do not fit are counted in *loss, which is not touched
 * otherwise. */
enum tm_status tm_csv_small_next(struct csv_small *t, struct tm_loss *loss,
                                 const struct tm_small_field **f, uint64_t *line,
                                 struct tm_diag *d);

/* Back to the first row. */
void tm_csv_small_rewind(struct csv_small *t);

/* Lines of the input up to the next row. */
uint64_t tm_csv_small_lines(const struct csv_small *t);

/* rocprofv3 wrote the column, if it is the last: LAST_DECIMALS (read/csv/csv_row.h). */
void tm_csv_small_decimals(struct csv_small *t, size_t bind);

/* Free it. */
void tm_csv_small_fini(struct csv_small *t);

#endif
