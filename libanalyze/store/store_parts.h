/* SPDX-License-Identifier: MIT
 * Internals of a store. */
#ifndef TM_STORE_STORE_PARTS_H
#define TM_STORE_STORE_PARTS_H

#include "store/feed.h"

/* A process of an input, which is a row of `rank`: a key in store.processes, where its place + 1 is
 * the id. */
struct process {
	uint64_t input, has_pid, pid;
};

enum { INSERTS = 8 };

/* Rows with these columns into a table. */
struct insert {
	tm_ev_set cols;
	sqlite3_stmt *st;
};

struct tm_store {
	sqlite3 *db;
	bool totals; /* names and rollups are packed */
	struct feed feed;
	struct feed_of feeds[TM_RUN_TABLES];
	struct insert insert[TM_RUN_TABLES][INSERTS];
	sqlite3_stmt *collective; /* NULL = there has been none */
	sqlite3_stmt *input, *input_end, *rank, *host, *loss, *clock, *align, *clock_part, *extent,
	        *rollup, *whole, *state, *name, *meta;
	uint64_t next[TM_RUN_TABLES],
	        first[TM_RUN_TABLES]; /* row ids: the next, the first of the input */
	uint64_t next_rollup, first_rollup, next_state, first_state; /* rows, packed or not */
	struct tm_rollups_out rollups; /* that are not in a frame yet: of the open input, or, when
	                                * all are closed, of what they add up to */
	struct tm_buf packed;
	uint64_t ninputs, rank_of_input;
	struct tm_names processes;
	struct process last;          /* the one the last row had, and its id; 0 = none yet */
	uint64_t last_id, first_rank; /* first_rank: id before those of the open input */
	uint64_t **rank_id;
	size_t rank_id_cap, nrank_id;
};

/* TM_ST_FATAL with *d = why the last call on the database failed. */
enum tm_status tm_store_refuse(const struct tm_store *s, struct tm_diag *d);

#endif
