/* SPDX-License-Identifier: MIT
 * Collectives of several inputs, in a table of the connection that is gone with it. */
#include "store/priv_store.h"

static bool prepare(struct store *s, sqlite3_stmt **out, const char *sql)
{
	return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
	       SQLITE_OK;
}

enum status store_collective(struct store *s, uint32_t name, uint64_t start, uint64_t end,
                             struct diag *d)
{
	sqlite3_stmt *st;
	int rc;

	if (!s->collective &&
	    (sqlite3_exec(s->db,
	                  "PRAGMA temp.journal_mode=OFF;"
	                  "CREATE TEMP TABLE collective(input INTEGER,name INTEGER,"
	                  "start_ns INTEGER,end_ns INTEGER)",
	                  NULL, NULL, NULL) != SQLITE_OK ||
	     !prepare(s, &s->collective, "INSERT INTO temp.collective VALUES(?,?,?,?)")))
		return store_refuse(s, d);
	st = s->collective;
	sqlite3_bind_int64(st, 1, (sqlite3_int64)s->ninputs);
	sqlite3_bind_int64(st, 2, name);
	sqlite3_bind_int64(st, 3, (sqlite3_int64)start);
	sqlite3_bind_int64(st, 4, (sqlite3_int64)end);
	rc = sqlite3_step(st);
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? ST_OK : store_refuse(s, d);
}

/* How many an input has, of one name or (NAME_NONE) in all. */
static bool count(struct store *s, uint64_t input, uint32_t name, uint64_t *n)
{
	sqlite3_stmt *st = NULL;
	bool ok = prepare(s, &st,
	                  "SELECT count(*) FROM temp.collective "
	                  "WHERE input=?1 AND name=coalesce(?2,name)");

	if (ok) {
		sqlite3_bind_int64(st, 1, (sqlite3_int64)input);
		if (name != NAME_NONE)
			sqlite3_bind_int64(st, 2, name);
		ok = sqlite3_step(st) == SQLITE_ROW;
		*n = (uint64_t)sqlite3_column_int64(st, 0);
	}
	sqlite3_finalize(st);
	return ok;
}

/* One step of both; 1 = another pair, 0 = the end, -1 = they do not match (m->name), -2 = failed. */
static int step(sqlite3_stmt *a, sqlite3_stmt *b, struct store_match *m)
{
	int ra = sqlite3_step(a), rb = sqlite3_step(b);
	uint32_t name_a, name_b;

	if ((ra != SQLITE_ROW && ra != SQLITE_DONE) || (rb != SQLITE_ROW && rb != SQLITE_DONE))
		return -2;
	if (ra == SQLITE_DONE && rb == SQLITE_DONE)
		return 0;
	name_a = ra == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(a, 0) : NAME_NONE;
	name_b = rb == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(b, 0) : NAME_NONE;
	/* Both are in order, so one of the lesser name has none to go with it. */
	m->name = name_a < name_b ? name_a : name_b;
	return name_a == name_b ? 1 : -1;
}

enum status store_match(struct store *s, struct store_match *m, struct diag *d)
{
	static const char select[] = "SELECT name,end_ns FROM temp.collective WHERE input=? "
	                             "ORDER BY name,start_ns,end_ns";
	sqlite3_stmt *a = NULL, *b = NULL;
	uint64_t all = 0, every = 1, at = 0;
	int rc = -2;

	m->n = 0;
	if (sqlite3_exec(s->db,
	                 "CREATE INDEX IF NOT EXISTS temp.collective_order "
	                 "ON collective(input,name,start_ns,end_ns)",
	                 NULL, NULL, NULL) == SQLITE_OK &&
	    count(s, m->a, NAME_NONE, &all) && prepare(s, &a, select) && prepare(s, &b, select)) {
		every = all / m->most + 1;
		sqlite3_bind_int64(a, 1, (sqlite3_int64)m->a);
		sqlite3_bind_int64(b, 1, (sqlite3_int64)m->b);
		while ((rc = step(a, b, m)) == 1)
			if (at++ % every == 0)
				m->diff[m->n++] = (int64_t)((uint64_t)sqlite3_column_int64(a, 1) -
				                            (uint64_t)sqlite3_column_int64(b, 1));
	}
	if (rc == -1 &&
	    (!count(s, m->a, m->name, &m->count_a) || !count(s, m->b, m->name, &m->count_b)))
		rc = -2;
	/* The reason is that of the last call, so it is asked for before anything is let go. */
	if (rc == -2)
		store_refuse(s, d);
	sqlite3_finalize(a);
	sqlite3_finalize(b);
	return rc == -2 ? ST_FATAL : rc == -1 ? ST_SKIP : ST_OK;
}
