/* SPDX-License-Identifier: MIT
 * insert_rows - events into SQLite as its manual says: one table, a prepared INSERT, one
 * transaction, synchronous=OFF and no journal.  The events come from libanalyze's reader with all
 * columns, as those of tracemerge do; texts are bound as texts.
 *
 *     insert_rows TRACE NEW.db */
#include "io/io.h"
#include "read/reader.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *what)
{
	fprintf(stderr, "insert_rows: %s\n", what);
	exit(2);
}

static void run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(sqlite3_errmsg(db));
}

/* A statement over all columns, each written as `each` says, after `begin`. */
static struct tm_buf over_columns(const char *begin, bool names)
{
	struct tm_buf b = { 0 };

	tm_buf_str(&b, begin);
	for (int c = 0; c < TM_EVC_N; c++)
		if (names)
			tm_buf_fmt(&b, ", \"%s\" %s", tm_ev_columns[c].word,
			           tm_ev_columns[c].type == TM_EVT_NAME   ? "TEXT"
			           : tm_ev_columns[c].type == TM_EVT_REAL ? "REAL"
			                                                  : "INTEGER");
		else
			tm_buf_str(&b, ", ?");
	tm_buf_chr(&b, ')');
	if (b.failed)
		die("out of memory");
	return b;
}

static void insert(sqlite3 *db, sqlite3_stmt *s, const struct tm_batch *b, uint32_t i)
{
	sqlite3_bind_int(s, 1, (int)b->kind);
	for (int c = 0; c < TM_EVC_N; c++) {
		uint64_t v;

		if (!tm_batch_has(b, i, (enum tm_ev_col)c)) {
			sqlite3_bind_null(s, c + 2);
			continue;
		}
		v = b->col[c][i];
		if (tm_ev_columns[c].type == TM_EVT_NAME)
			sqlite3_bind_text(s, c + 2, b->names->v[v].text, (int)b->names->v[v].len,
			                  SQLITE_STATIC);
		else if (tm_ev_columns[c].type == TM_EVT_REAL)
			sqlite3_bind_double(s, c + 2, tm_cell_real(v));
		else
			sqlite3_bind_int64(s, c + 2, (sqlite3_int64)v);
	}
	if (sqlite3_step(s) != SQLITE_DONE)
		die(sqlite3_errmsg(db));
	sqlite3_reset(s);
}

int main(int argc, char **argv)
{
	struct tm_diag d = { 0 };
	struct tm_source *src = argc == 3 ? tm_source_open(argv[1], &d) : NULL;
	struct tm_reader *r = src ? tm_reader_open(src, NULL, TM_EV_ALL, NULL, &d) : NULL;
	struct tm_buf sql;
	const struct tm_batch *b;
	enum tm_status st;
	sqlite3_stmt *s;
	uint64_t rows = 0;
	sqlite3 *db;

	if (!r)
		die(argc == 3 ? d.text : "usage: insert_rows TRACE NEW.db");
	remove(argv[2]);
	if (sqlite3_open(argv[2], &db) != SQLITE_OK)
		die(sqlite3_errmsg(db));
	run(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE");
	sql = over_columns("CREATE TABLE event(kind INTEGER", true);
	run(db, sql.p);
	tm_buf_fini(&sql);
	run(db, "BEGIN");
	sql = over_columns("INSERT INTO event VALUES (?", false);
	if (sqlite3_prepare_v2(db, sql.p, -1, &s, NULL) != SQLITE_OK)
		die(sqlite3_errmsg(db));
	tm_buf_fini(&sql);
	while ((st = tm_reader_next(r, &b, &d)) == TM_ST_OK)
		for (uint32_t i = 0; i < b->n; i++, rows++)
			insert(db, s, b, i);
	if (st != TM_ST_END)
		die(d.text);
	sqlite3_finalize(s);
	run(db, "COMMIT");
	sqlite3_close(db);
	tm_reader_close(r);
	tm_source_close(src);
	printf("%llu\n", (unsigned long long)rows);
	return 0;
}
