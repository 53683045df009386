/* SPDX-License-Identifier: MIT
 * The tables of run.db (schemas/run.sql) as data, for writing and reading. */
#ifndef TM_READ_RUN_TABLES_H
#define TM_READ_RUN_TABLES_H

#include "model/model.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* user_version: what is written, and the oldest that is read. */
enum {
	TM_RUN_APPLICATION = 0x74726d6c,
#define RUN_VERSION(written, oldest) TM_RUN_VERSION = written, TM_RUN_OLDEST = oldest,
#define RUN_TABLE(table, kind, which)
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};

/* Which events of its kind a table contains. */
enum tm_run_which {
	TM_RUN_EVERY,
	TM_RUN_CALLS,   /* API calls that are no markers */
	TM_RUN_MARKERS, /* markers */
};

/* A column, stored as its event column's type says: TM_EVT_REAL as REAL, TM_EVT_NAME as INTEGER
 * (the id in table name), TM_EVT_DOMAIN as TEXT (tm_domain_text()), all others as INTEGER, unsigned
 * 64 bits in two's complement. */
struct tm_run_column {
	const char *name;
	enum tm_ev_col col;
	int version; /* that brought it; 0 = TM_RUN_OLDEST or before */
};

struct tm_run_table {
	const char *name;
	enum tm_ev_kind kind;
	enum tm_run_which which;
	const struct tm_run_column *column; /* ending with name NULL */
};

enum tm_run_table_id {
#define RUN_TABLE(table, kind, which) TM_RUN_TABLE_##table,
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
	TM_RUN_TABLES,
};

/* All of them, in the order in which they are read back. */
extern const struct tm_run_table tm_run_tables[TM_RUN_TABLES];

/* Does row i of a batch of that table's kind belong to the table? */
static inline bool tm_run_table_takes(const struct tm_run_table *t, const struct tm_batch *b,
                                      uint32_t i)
{
	return t->which == TM_RUN_EVERY ||
	       (tm_batch_has(b, i, TM_EVC_DOMAIN) &&
	        b->col[TM_EVC_DOMAIN][i] == TM_DOMAIN_MARKER) == (t->which == TM_RUN_MARKERS);
}

#endif
