/* SPDX-License-Identifier: MIT */
#include "read/run_tables.h"

/* All columns in one array; before each table, and after the last, stands one without a name. */
static const struct tm_run_column columns[] = {
#define RUN_TABLE(table, kind, which)        { .name = NULL },
#define RUN_COLUMN(table, name, col)         { #name, col, 0 },
#define RUN_LATER(table, name, col, version) { #name, col, version },
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
	{ .name = NULL },
};

/* The same again, for the places. */
enum place {
#define RUN_TABLE(table, kind, which) BEFORE_##table,
#define RUN_COLUMN(table, name, col)  AT_##table##_##name,
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};

const struct tm_run_table tm_run_tables[TM_RUN_TABLES] = {
#define RUN_TABLE(table, kind, which)                                                              \
	[TM_RUN_TABLE_##table] = { #table, kind, which, &columns[BEFORE_##table + 1] },
#define RUN_COLUMN(table, name, col)
#include "schemas/run_tables.def"
#undef RUN_TABLE
#undef RUN_COLUMN
};
