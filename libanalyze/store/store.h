/* SPDX-License-Identifier: MIT
 * Writing a run.db (schemas/run.sql).
 *
 * Rows go in by INSERT ... SELECT from a virtual table over the arrays of the batches, the fastest
 * way SQLite has (twice a prepared INSERT).  One thread at a time.  The file is not usable before
 * store_finish: no journal is kept, whoever fails in between throws it away. */
#ifndef TM_STORE_STORE_H
#define TM_STORE_STORE_H

#include "base/base.h"
#include "model/model.h"
#include "read/read.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* The text of schemas/run.sql. */
const char *store_schema(void);

/* Create the database in `path`, an empty or missing file.  NULL with *d. */
struct store *store_create(const char *path, struct diag *d);

/* Begin an input; its rows follow.  ST_OK, or ST_FATAL with *d. */
enum status store_input(struct store *s, const struct piece *p, struct diag *d);

/* What is known of the open input when it has been read. */
struct store_end {
	const struct piece *of; /* producer, clock, host and realtime are sure now */
	const struct loss *loss;
	const char *problem; /* NULL = none */
	uint64_t events, content;
	bool has_content; /* content is known */
	bool stats_only;
};

/* End the open input. */
enum status store_input_end(struct store *s, const struct store_end *e, struct diag *d);

/* Rows on their way: a batch of which every "name" column is an id of store_finish's names once it
 * went through `map`. */
struct store_rows {
	struct batch b;
	const uint32_t *map;
};

/* Put the rows that belong to any table, all of one kind, behind what is there, as part of the open
 * input. */
enum status store_add(struct store *s, const struct store_rows *rows, size_t n, struct diag *d);

/* One rollup of the open input. */
struct store_rollup {
	enum domain domain;
	uint32_t name, counter; /* NAME_NONE = none */
	bool has_agent, timed;
	uint64_t agent, calls, total[2], squares[3], min,
	        max; /* but for agent and calls: if timed */
	const void *sketch;
	size_t sketch_n;
};

/* Add a rollup to the open input. */
enum status store_rollup(struct store *s, const struct store_rollup *r, struct diag *d);

/* One part of the time in which the clock of an input was compared: table clock_part of run.sql. */
struct store_clock_part {
	uint64_t from_ns, to_ns; /* as recorded */
	uint64_t pairs, middle_ns, most_ns, error_ns;
};

/* How the clock of an input is aligned: table clock of run.sql. */
struct store_clock {
	const char *method;
	struct clock_line line; /* onto the common clock */
	uint64_t residual_ns;
	bool has_residual;
	const struct store_clock_part *part;
	size_t parts;
};

/* Note it for an input, counted from 1; one that nobody speaks of is not aligned ("none", 0).
 * ST_OK, or ST_FATAL with *d. */
enum status store_clock(struct store *s, uint64_t input, const struct store_clock *c,
                        struct diag *d);

/* A kernel that is a collective. */
struct store_collective {
	uint32_t name, comm; /* of store_finish's names; comm NAME_NONE = the trace does not say */
	uint64_t agent, seq; /* UINT64_MAX = does not say */
	uint64_t start_ns, end_ns;
};

/* Keep in mind that the open input has this one: not in the database, but on disk should there be
 * many.  ST_OK, or ST_FATAL with *d. */
enum status store_collective(struct store *s, const struct store_collective *c, struct diag *d);

/* All that were kept of an input, by agent, start and end; *v is the caller's to free.  ST_OK, or
 * ST_FATAL with *d. */
enum status store_collectives(struct store *s, uint64_t input, struct store_collective **v,
                              size_t *n, struct diag *d);

/* Write names, indexes (if `index`) and meta, and see that it is all in the file. */
enum status store_finish(struct store *s, const struct names *names, bool index, struct diag *d);

/* Close, finished or not; NULL is fine. */
void store_close(struct store *s);

#endif
