/* SPDX-License-Identifier: MIT
 * Reads a run.db: run_db.c, and run_packed.c for the packed contents of one of totals. */
#ifndef TM_READ_SQLITE_RUN_DB_H
#define TM_READ_SQLITE_RUN_DB_H

#include "read/packed.h"
#include "read/reader.h"
#include "read/run_tables.h"
#include "read/sqlite/sqlite_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ROLLUPS = TM_RUN_TABLES,
	PACKED, /* rollups too */
	WHOLE,  /* what they add up to, of all inputs */
	STATES,
	EXTENTS,         /* tables of events, and those four */
	RUN_DRIFT = 4,   /* the version that brought drift and its parts, and input.own_run */
	RUN_STATES = 9,  /* ... and the table state */
	RUN_PACKED = 10, /* ... and databases of totals, whose names and rollups are packed */
	RUN_WHOLE = 11,  /* ... and what the rollups of all inputs add up to */
	STATES_BYTES = 1 << 20, /* of a batch, about */
};

struct extent_of {
	sqlite3_int64 first, rows;
};

struct run_input {
	sqlite3_int64 id;
	struct extent_of extent[EXTENTS];
	bool stats_only;
	char *problem, *method;
	struct tm_clock_part *part; /* of its clock, in the order of time */
	size_t parts, parts_cap;
};

struct tm_run_rank {
	sqlite3_int64 id;
	uint64_t pid;
	bool has_pid;
};

struct run_db {
	struct tm_sqlite_file *file; /* the reader's */
	sqlite3 *db;                 /* ... and what it holds */
	struct tm_origin *origin;    /* ninputs of them */
	struct run_input *input;
	size_t ninputs, cap, origin_cap;
	struct tm_run_rank *rank; /* by id */
	size_t nranks, ranks_cap;
	int version;
	bool totals;      /* it has no tables of events */
	bool begun;       /* it is being read; ... */
	bool whole;       /* ... of rollups what they add up to, with the first input */
	const char *name; /* of the file, as people call it */

	/* where reading is */
	size_t at; /* input */
	int table; /* 0 .. EXTENTS - 1 */
	bool open; /* the statement of that table stands on the rows of that input */
	sqlite3_stmt *select[EXTENTS];
	const struct tm_run_column
	        *column[EXTENTS][TM_EVC_N]; /* of the statement, ending with NULL */
	size_t rank_at;

	struct tm_batch batch;
	void *store;
	struct tm_buf bytes;       /* of the sketches of the batch */
	struct tm_rollups rollups; /* of the row of packed ones that is at hand */
	bool dead;
	bool starved; /* what failed did so for want of memory */
	struct tm_diag why;
};

/* Names of a database of totals, in the order of their ids, into *names.  False when they are
 * damaged, or (t->starved) out of memory. */
bool tm_run_packed_names(struct run_db *t, struct tm_names *names);

/* Are its rows packed rollups? */
static inline bool tm_run_is_packed(int table)
{
	return table == PACKED || table == WHOLE;
}

/* Prepare the statement of what all rollups add up to, to be read in place of them, if the database
 * has that and it is of these inputs; t->whole then.  False when out of memory. */
bool tm_run_whole_prepare(struct run_db *t);

/* Prepare the statement of the packed rollups.  False when it cannot be. */
bool tm_run_packed_prepare(struct run_db *t);

/* Go on to the next row of the open statement, as sqlite3_step says it; of packed rollups to the
 * next of them. */
int tm_run_packed_step(struct run_db *t);

/* The packed rollup that was gone to becomes a row of the batch, which has *has then.  False when
 * it is not as it should be, or (t->bytes.failed) out of memory. */
bool tm_run_packed_row(struct run_db *t, uint32_t row, tm_ev_set *has);

#endif
