/* SPDX-License-Identifier: MIT
 * The virtual tables from which rows are inserted: feed_<table> for each of tm_run_tables. */
#ifndef TM_STORE_FEED_H
#define TM_STORE_FEED_H

#include "store/store.h"

#include <sqlite3.h>

/* What the feeds of one database show; filled before each INSERT ... SELECT. */
struct feed {
	const struct tm_store_rows *rows;
	size_t n;
	const uint64_t *const *rank_id; /* rank_id[block][row] */
};

/* One feed as the module sees it. */
struct feed_of {
	const struct feed *feed;
	const struct tm_run_table *table;
};

/* Register a module for each of of[0 .. TM_RUN_TABLES), which live as long as the connection.
 * An SQLite result code. */
int tm_feed_register(sqlite3 *db, struct feed_of *of);

#endif
