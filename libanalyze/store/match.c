/* SPDX-License-Identifier: MIT
 * Collectives of several inputs, in a table of the connection that is gone with it. */
#include "store/store_parts.h"

#include <stdlib.h>

static bool prepare(struct tm_store *s, sqlite3_stmt **out, const char *sql)
{
	return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
	       SQLITE_OK;
}

enum tm_status tm_store_collective(struct tm_store *s, const struct tm_store_collective *c,
                                   struct tm_diag *d)
{
	sqlite3_stmt *st;
	int rc;

	if (!s->collective &&
	    (sqlite3_exec(s->db,
	                  "PRAGMA temp.journal_mode=OFF;"
	                  "CREATE TEMP TABLE collective(input INTEGER,name INTEGER,comm INTEGER,"
	                  "agent INTEGER,seq INTEGER,start_ns INTEGER,end_ns INTEGER)",
	                  NULL, NULL, NULL) != SQLITE_OK ||
	     !prepare(s, &s->collective, "INSERT INTO temp.collective VALUES(?,?,?,?,?,?,?)")))
		return tm_store_refuse(s, d);
	st = s->collective;
	sqlite3_bind_int64(st, 1, (sqlite3_int64)s->ninputs);
	sqlite3_bind_int64(st, 2, c->name);
	sqlite3_bind_int64(st, 3, c->comm);
	sqlite3_bind_int64(st, 4, (sqlite3_int64)c->agent);
	sqlite3_bind_int64(st, 5, (sqlite3_int64)c->seq);
	sqlite3_bind_int64(st, 6, (sqlite3_int64)c->start_ns);
	sqlite3_bind_int64(st, 7, (sqlite3_int64)c->end_ns);
	rc = sqlite3_step(st);
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? TM_ST_OK : tm_store_refuse(s, d);
}

static uint64_t column(sqlite3_stmt *st, int i)
{
	return (uint64_t)sqlite3_column_int64(st, i);
}

enum tm_status tm_store_collectives(struct tm_store *s, uint64_t input,
                                    struct tm_store_collective **v, size_t *n, struct tm_diag *d)
{
	sqlite3_stmt *st = NULL;
	size_t cap = 0;
	bool starved = false;
	int rc = SQLITE_ERROR;

	*v = NULL;
	*n = 0;
	if (!s->collective)
		return TM_ST_OK;
	if (sqlite3_exec(s->db,
	                 "CREATE INDEX IF NOT EXISTS temp.collective_input ON collective(input)",
	                 NULL, NULL, NULL) == SQLITE_OK &&
	    prepare(s, &st,
	            "SELECT name,comm,agent,seq,start_ns,end_ns FROM temp.collective "
	            "WHERE input=? ORDER BY agent,start_ns,end_ns,name,rowid")) {
		sqlite3_bind_int64(st, 1, (sqlite3_int64)input);
		while (!starved && (rc = sqlite3_step(st)) == SQLITE_ROW) {
			starved = !tm_grow_array(v, &cap, *n + 1, sizeof **v);
			if (!starved)
				(*v)[(*n)++] = (struct tm_store_collective) {
					.name = (uint32_t)column(st, 0),
					.comm = (uint32_t)column(st, 1),
					.agent = column(st, 2),
					.seq = column(st, 3),
					.start_ns = column(st, 4),
					.end_ns = column(st, 5),
				};
		}
	}
	/* The reason is that of the last call, so it is asked for before anything is let go. */
	if (starved)
		tm_diag_oom(d);
	else if (rc != SQLITE_DONE)
		tm_store_refuse(s, d);
	sqlite3_finalize(st);
	if (rc == SQLITE_DONE && !starved)
		return TM_ST_OK;
	free(*v);
	*v = NULL;
	return TM_ST_FATAL;
}
