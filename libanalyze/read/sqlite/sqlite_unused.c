/* SPDX-License-Identifier: MIT
 * Which tables and columns of a database does no query read?  SQLite itself tells, while the
 * queries are prepared, what each of them is going to read. */
#include "read/sqlite/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

/* "table", NUL, "column"; the table alone, too. */
static bool see(struct names *seen, struct buf *key, const char *table, const char *column)
{
	buf_clear(key);
	buf_add(key, table, strlen(table) + 1);
	if (names_add(seen, key->p, key->n) == NAME_NONE)
		return false;
	buf_str(key, column);
	return !key->failed && names_add(seen, key->p, key->n) != NAME_NONE;
}

static int heard(void *arg, int action, const char *table, const char *column, const char *db,
                 const char *by)
{
	struct sq_rows *q = arg;
	struct buf key = { 0 };

	(void)db;
	(void)by;
	if (action == SQLITE_READ && table && column && !see(&q->seen, &key, table, column))
		sq_oom(q);
	buf_fini(&key);
	return SQLITE_OK;
}

void sq_unused_begin(struct sq_rows *q)
{
	if (!(q->r->want & UNUSED_WANT))
		return;
	/* What others would read of it counts as well. */
	q->r->want |= EV_ALL;
	sqlite3_set_authorizer(q->db, heard, q);
}

static bool was_seen(const struct sq_rows *q, struct buf *key, const char *table,
                     const char *column)
{
	buf_clear(key);
	buf_add(key, table, strlen(table) + 1);
	buf_str(key, column);
	return !key->failed && names_find(&q->seen, key->p, key->n) != NAME_NONE;
}

/* The columns of one table that is read. */
static bool columns_of(struct sq_rows *q, const char *table, struct buf *key)
{
	const struct sq_shape *shape = sq_shape_of(q, table);
	struct buf name = { 0 };
	bool ok = !q->dead;

	for (size_t i = 0; ok && shape && i < shape->n; i++) {
		if (was_seen(q, key, table, shape->column[i]))
			continue;
		buf_clear(&name);
		buf_fmt(&name, "%s.%s", table, shape->column[i]);
		ok = !name.failed && !key->failed &&
		     reader_unused(q->r, UNUSED_COLUMN, name.p, name.n);
	}
	buf_fini(&name);
	return ok;
}

bool sq_unused_end(struct sq_rows *q)
{
	struct buf key = { 0 };
	bool ok = true;

	if (!(q->r->want & UNUSED_WANT))
		return true;
	sqlite3_set_authorizer(q->db, NULL, NULL);
	for (size_t i = 0; ok && i < q->r->file->ntables; i++) {
		const char *table = q->r->file->table[i];

		ok = was_seen(q, &key, table, "")
		             ? columns_of(q, table, &key)
		             : !key.failed &&
		                       reader_unused(q->r, UNUSED_TABLE, table, strlen(table));
	}
	buf_fini(&key);
	if (!ok && !q->dead)
		sq_oom(q);
	return ok;
}
