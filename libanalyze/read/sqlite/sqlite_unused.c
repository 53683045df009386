/* SPDX-License-Identifier: MIT
 * Which tables and columns of a database does no query read?  SQLite itself tells, while the
 * queries are prepared, what each of them is going to read. */
#include "read/sqlite/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

/* "table", NUL, "column"; the table alone, too. */
static bool see(struct tm_names *seen, struct tm_buf *key, const char *table, const char *column)
{
	tm_buf_clear(key);
	tm_buf_add(key, table, strlen(table) + 1);
	if (tm_names_add(seen, key->p, key->n) == TM_NAME_NONE)
		return false;
	tm_buf_str(key, column);
	return !key->failed && tm_names_add(seen, key->p, key->n) != TM_NAME_NONE;
}

static int heard(void *arg, int action, const char *table, const char *column, const char *db,
                 const char *by)
{
	struct sq_rows *q = arg;
	struct tm_buf key = { 0 };

	(void)db;
	(void)by;
	if (action == SQLITE_READ && table && column && !see(&q->seen, &key, table, column))
		tm_sq_oom(q);
	tm_buf_fini(&key);
	return SQLITE_OK;
}

void tm_sq_unused_begin(struct sq_rows *q)
{
	if (!(q->r->want & TM_UNUSED_WANT))
		return;
	/* What others would read of it counts as well. */
	q->r->want |= TM_EV_ALL;
	sqlite3_set_authorizer(q->db, heard, q);
}

static bool was_seen(const struct sq_rows *q, struct tm_buf *key, const char *table,
                     const char *column)
{
	tm_buf_clear(key);
	tm_buf_add(key, table, strlen(table) + 1);
	tm_buf_str(key, column);
	return !key->failed && tm_names_find(&q->seen, key->p, key->n) != TM_NAME_NONE;
}

/* The columns of one table that is read. */
static bool columns_of(struct sq_rows *q, const char *table, struct tm_buf *key)
{
	const struct sq_shape *shape = tm_sq_shape_of(q, table);
	struct tm_buf name = { 0 };
	bool ok = !q->dead;

	for (size_t i = 0; ok && shape && i < shape->n; i++) {
		if (was_seen(q, key, table, shape->column[i]))
			continue;
		tm_buf_clear(&name);
		tm_buf_fmt(&name, "%s.%s", table, shape->column[i]);
		ok = !name.failed && !key->failed &&
		     tm_reader_unused(q->r, TM_UNUSED_COLUMN, name.p, name.n);
	}
	tm_buf_fini(&name);
	return ok;
}

bool tm_sq_unused_end(struct sq_rows *q)
{
	struct tm_buf key = { 0 };
	bool ok = true;

	if (!(q->r->want & TM_UNUSED_WANT))
		return true;
	sqlite3_set_authorizer(q->db, NULL, NULL);
	for (size_t i = 0; ok && i < q->r->file->ntables; i++) {
		const char *table = q->r->file->table[i];

		ok = was_seen(q, &key, table, "")
		             ? columns_of(q, table, &key)
		             : !key.failed && tm_reader_unused(q->r, TM_UNUSED_TABLE, table,
		                                               strlen(table));
	}
	tm_buf_fini(&key);
	if (!ok && !q->dead)
		tm_sq_oom(q);
	return ok;
}
