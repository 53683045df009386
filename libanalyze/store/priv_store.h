/* SPDX-License-Identifier: MIT
 * Inside of a store. */
#ifndef STORE_PRIV_STORE_H
#define STORE_PRIV_STORE_H

#include "store/priv_feed.h"

/* What one process of the open input is called. */
struct process {
	bool has_pid;
	uint64_t pid, id;
};

enum { INSERTS = 8 };

/* Rows with these columns into a table. */
struct insert {
	uint64_t cols;
	sqlite3_stmt *st;
};

struct store {
	sqlite3 *db;
	struct feed feed;
	struct feed_of feeds[RUN_TABLES];
	struct insert insert[RUN_TABLES][INSERTS];
	sqlite3_stmt *collective; /* NULL = there has been none */
	sqlite3_stmt *input, *input_end, *rank, *host, *loss, *clock, *align, *extent, *rollup,
	        *name, *meta;
	uint64_t next[RUN_TABLES],
	        first[RUN_TABLES]; /* row ids: the next, the first of the input */
	uint64_t next_rollup, first_rollup;
	uint64_t ninputs, nranks, rank_of_input;
	struct process *process;          /* of the open input */
	size_t nprocess, process_cap, at; /* at: the one the last row had */
	uint64_t **rank_id;
	size_t rank_id_cap, nrank_id;
};

/* ST_FATAL with *d = why the last call on the database failed. */
enum status store_refuse(const struct store *s, struct diag *d);

#endif
