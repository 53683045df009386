/* SPDX-License-Identifier: MIT
 * The tables of run.db (schemas/run.sql) as data, for who writes and who reads them. */
#ifndef TM_READ_RUN_TABLES_H
#define TM_READ_RUN_TABLES_H

#include "model/model.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* user_version: what is written, and the oldest that is read. */
enum { RUN_APPLICATION = 0x74726d6c, RUN_VERSION = 5, RUN_OLDEST = 2 };

/* Which events of its kind a table holds. */
enum run_which {
	RUN_EVERY,
	RUN_CALLS,   /* API calls that are no markers */
	RUN_MARKERS, /* markers */
};

/* A column, stored as its event column's type says: EVT_REAL as REAL, EVT_NAME as INTEGER (the id
 * in table name), EVT_DOMAIN as TEXT (domain_text()), all others as INTEGER, unsigned 64 bits in
 * two's complement. */
struct run_column {
	const char *name;
	enum ev_col col;
	int version; /* that brought it; 0 = RUN_OLDEST or before */
};

struct run_table {
	const char *name;
	enum ev_kind kind;
	enum run_which which;
	const struct run_column *column; /* ending with name NULL */
};

enum run_table_id {
#define RUN_TABLE(table, kind, which) RUN_TABLE_##table,
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
	RUN_TABLES,
};

/* All of them, in the order in which they are read back. */
extern const struct run_table run_tables[RUN_TABLES];

/* The reasons of table loss: those of tables, then enum loss_reason. */
enum { RUN_LOSS_LINES = 6, RUN_LOSSES = RUN_LOSS_LINES + LOSS_REASONS };
extern const char *const run_loss_words[RUN_LOSSES];

struct run_loss {
	uint64_t rows, at; /* at: line or byte of the first */
	bool has_at;
};

/* Is the place of reason number i a line, not a byte? */
static inline bool run_loss_has_line(int i)
{
	return i < RUN_LOSS_LINES || loss_has_line((enum loss_reason)(i - RUN_LOSS_LINES));
}

/* Reason number i. */
struct run_loss run_loss_get(const struct loss *l, int i);
void run_loss_set(struct loss *l, int i, const struct run_loss *r);

/* What was left out by the reader, and in how many places the producer says it lost some before. */
uint64_t loss_skipped(const struct loss *l);
uint64_t loss_lost(const struct loss *l);

/* Is row i of a batch of that table's kind one of the table? */
static inline bool run_table_takes(const struct run_table *t, const struct batch *b, uint32_t i)
{
	return t->which == RUN_EVERY ||
	       (batch_has(b, i, EVC_DOMAIN) && b->col[EVC_DOMAIN][i] == DOMAIN_MARKER) ==
	               (t->which == RUN_MARKERS);
}

#endif
