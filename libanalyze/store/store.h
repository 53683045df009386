/* SPDX-License-Identifier: MIT
 * Writing a run.db (schemas/run.sql).
 *
 * Rows are inserted with INSERT ... SELECT from a virtual table over the arrays of the batches, the
 * fastest way in SQLite (twice a prepared INSERT).  One thread at a time.  The file is not usable
 * before tm_store_finish: there is no journal, so discard it on failure. */
#ifndef TM_STORE_STORE_H
#define TM_STORE_STORE_H

#include "base/base.h"
#include "model/model.h"
#include "read/read.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_store;

/* Append the part of schemas/run.sql that creates such a database (see tm_store_create); with
 * `index`, also its indexes.  False when out of memory. */
bool tm_store_schema(bool totals, bool index, struct tm_buf *out);

/* Create the database in `path`, an empty or missing file; `totals`: no input will have rows of
 * events, so there are no tables for them, and names and rollups are packed, in small pages unless
 * there are `many` of them.  NULL with *d. */
struct tm_store *tm_store_create(const char *path, bool totals, bool many, struct tm_diag *d);

/* Is a file that begins with p[0..n) a run.db of totals? */
bool tm_store_has_totals(const unsigned char *p, size_t n);

/* Begin an input; its rows follow.  TM_ST_OK, or TM_ST_FATAL with *d. */
enum tm_status tm_store_input(struct tm_store *s, const struct tm_piece *p, struct tm_diag *d);

/* Add the state of a question (an id of tm_store_finish's names) for the rank of an input: the open
 * one or, if none is open, a closed one. */
enum tm_status tm_store_state(struct tm_store *s, uint64_t input, uint32_t question, const void *p,
                              size_t n, struct tm_diag *d);

/* End the states of that closed input. */
enum tm_status tm_store_states_end(struct tm_store *s, uint64_t input, struct tm_diag *d);

/* What is known of the open input after reading. */
struct tm_store_end {
	const struct tm_piece *of; /* producer, clock, host and realtime are sure now */
	const struct tm_loss *loss;
	const char *problem; /* NULL = none */
	uint64_t events, content;
	bool has_content; /* content is known */
	bool stats_only;
};

/* End the open input. */
enum tm_status tm_store_input_end(struct tm_store *s, const struct tm_store_end *e,
                                  struct tm_diag *d);

/* Rows to add: a batch in which every "name" column, after translation by `map`, is an id of
 * tm_store_finish's names. */
struct tm_store_rows {
	struct tm_batch b;
	const uint32_t *map;
};

/* Append the rows that belong to a table, all of one kind, as part of the open input. */
enum tm_status tm_store_add(struct tm_store *s, const struct tm_store_rows *rows, size_t n,
                            struct tm_diag *d);

/* Add a rollup to the open input. */
enum tm_status tm_store_rollup(struct tm_store *s, const struct tm_rollup *r, struct tm_diag *d);

/* Add a rollup of all inputs together, all of which are closed. */
enum tm_status tm_store_whole(struct tm_store *s, const struct tm_rollup *r, struct tm_diag *d);

/* One part of the time in which the clock of an input was compared: table clock_part of run.sql. */
struct tm_store_clock_part {
	uint64_t from_ns, to_ns; /* as recorded */
	uint64_t pairs, middle_ns, most_ns, error_ns;
};

/* How the clock of an input is aligned: table clock of run.sql. */
struct tm_store_clock {
	const char *method;
	struct tm_clock_line line; /* onto the common clock */
	uint64_t residual_ns;
	bool has_residual;
	const struct tm_store_clock_part *part;
	size_t parts;
};

/* Set it for an input, counted from 1; without it, an input is not aligned ("none", 0).  TM_ST_OK,
 * or TM_ST_FATAL with *d. */
enum tm_status tm_store_clock(struct tm_store *s, uint64_t input, const struct tm_store_clock *c,
                              struct tm_diag *d);

/* A kernel that is a collective. */
struct tm_store_collective {
	uint32_t name,
	        comm; /* of tm_store_finish's names; comm TM_NAME_NONE = the trace does not say */
	uint64_t agent, seq; /* UINT64_MAX = does not say */
	uint64_t start_ns, end_ns;
};

/* Keep a collective of the open input: not in the database, but on disk if there are many.
 * TM_ST_OK, or TM_ST_FATAL with *d. */
enum tm_status tm_store_collective(struct tm_store *s, const struct tm_store_collective *c,
                                   struct tm_diag *d);

/* All kept collectives of an input, by agent, start and end; the caller frees *v.  TM_ST_OK, or
 * TM_ST_FATAL with *d. */
enum tm_status tm_store_collectives(struct tm_store *s, uint64_t input,
                                    struct tm_store_collective **v, size_t *n, struct tm_diag *d);

/* Write names, indexes (if `index`, and not for totals) and meta, and ensure that everything is in
 * the file. */
enum tm_status tm_store_finish(struct tm_store *s, const struct tm_names *names, bool index,
                               struct tm_diag *d);

/* Close, finished or not; NULL is fine. */
void tm_store_close(struct tm_store *s);

/* Is the file of that path a run.db?  False also when it cannot be read. */
bool tm_store_is(const char *path);

#endif
