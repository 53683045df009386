/* SPDX-License-Identifier: MIT
 * Events as rows of named cells, as tracecat writes them: the meaning of a cell, in any
 * container. */
#ifndef TM_READ_CELLS_H
#define TM_READ_CELLS_H

#include "read/batch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell is: an enum tm_ev_col, or one of these. */
enum tm_cell_code {
	TM_CELL_KIND = TM_EVC_N,
	TM_CELL_RANK,
	TM_CELL_DERIVED, /* follows from others, and is not looked at */
	TM_CELL_UNKNOWN,
};

enum tm_cell_bits { TM_CELLS_NEED = 4 }; /* kind, name, start_ns, end_ns: no table without them */

/* The meaning of the column of that name. */
unsigned tm_cell_find(const char *name, size_t n);

/* Is it one of the TM_CELLS_NEED? */
bool tm_cell_needed(unsigned code);

/* A row being put together; {0} before its first cell. */
struct tm_cell_row {
	struct tm_ev_row row;
	enum tm_ev_kind kind;
	bool has_kind, has_domain, has_rank, bad;
	enum tm_domain domain; /* as the kind says, or the row */
	uint64_t rank;
};

/* Batches of the kinds that there are. */
enum { TM_CELLS_OUT = 5 };
struct tm_cells {
	struct tm_ev_rows out[TM_CELLS_OUT];
	unsigned at; /* which of them is given out next: rows keep their order */
	bool turned; /* the row read last is of another kind */
	bool ranked; /* every row says its rank, which is: */
	uint64_t rank;
	bool dead;
	struct tm_diag why;
};

/* {0} before. */
void tm_cells_init(struct tm_cells *c);

/* Another cell of the row, not empty.  A value that its column cannot have makes the row bad.
 * False when out of memory. */
bool tm_cell_put(struct tm_reader *r, struct tm_cell_row *row, unsigned code, const char *p,
                 size_t n);

/* The row is whole; it begins in that line.  One that says another rank than c->rank, or none, does
 * not fit; neither does one that says a rank without c->ranked.  False: the reader is dead, c->why
 * says why. */
bool tm_cells_add(struct tm_cells *c, struct tm_reader *r, struct tm_cell_row *row, uint64_t line);

/* May another row be read, before what there is is given out? */
bool tm_cells_room(const struct tm_cells *c);

/* How `next` ends: as tm_ev_rows_next. */
enum tm_status tm_cells_next(struct tm_cells *c, struct tm_reader *r, const struct tm_batch **b,
                             struct tm_diag *d);

/* Free it. */
void tm_cells_fini(struct tm_cells *c);

#endif
