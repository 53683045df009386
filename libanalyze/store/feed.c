/* SPDX-License-Identifier: MIT */
#include "store/feed.h"

#include <stdlib.h>
#include <string.h>

struct feed_table {
	sqlite3_vtab base;
	const struct feed_of *of;
};

/* A column of the block that the cursor stands on. */
struct feed_cell {
	const uint64_t *at; /* NULL = no row has it */
	tm_ev_set bit;      /* of row_has; 0 = every row has it */
	enum tm_ev_type type;
};

struct feed_cursor {
	sqlite3_vtab_cursor base;
	const struct feed_of *of;
	size_t block;
	uint32_t row;
	const tm_ev_set *row_has;
	const uint32_t *map;
	struct feed_cell cell[TM_EVC_N + 1]; /* rank_id, then the columns of the table */
};

static int feed_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **err)
{
	const struct feed_of *of = aux;
	struct feed_table *t = sqlite3_malloc(sizeof *t);
	struct tm_buf sql = { 0 };
	int rc;

	(void)argc;
	(void)argv;
	(void)err;
	if (!t)
		return SQLITE_NOMEM;
	*t = (struct feed_table) { .of = of };
	tm_buf_str(&sql, "CREATE TABLE x(rank_id");
	for (const struct tm_run_column *c = of->table->column; c->name; c++)
		tm_buf_fmt(&sql, ",%s", c->name);
	tm_buf_str(&sql, ")");
	rc = sql.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, sql.p);
	tm_buf_fini(&sql);
	if (rc != SQLITE_OK) {
		sqlite3_free(t);
		return rc;
	}
	*out = &t->base;
	return SQLITE_OK;
}

static int feed_disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

static int feed_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->estimatedCost = 1e6;
	info->estimatedRows = 1000000;
	return SQLITE_OK;
}

static int feed_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct feed_cursor *c = sqlite3_malloc(sizeof *c);

	if (!c)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof *c);
	c->of = ((struct feed_table *)t)->of;
	*out = &c->base;
	return SQLITE_OK;
}

static int feed_close(sqlite3_vtab_cursor *cur)
{
	sqlite3_free(cur);
	return SQLITE_OK;
}

/* Look up the columns of the block once, not for each row. */
static void enter(struct feed_cursor *c)
{
	const struct feed *f = c->of->feed;
	const struct tm_batch *b = &f->rows[c->block].b;
	struct feed_cell *k = c->cell;

	c->row_has = b->row_has;
	c->map = f->rows[c->block].map;
	*k++ = (struct feed_cell) { .at = f->rank_id[c->block], .type = TM_EVT_NUMBER };
	for (const struct tm_run_column *col = c->of->table->column; col->name; col++) {
		bool some = b->some & TM_EV_BIT(col->col), all = b->has & TM_EV_BIT(col->col);

		*k++ = (struct feed_cell) { .at = some ? b->col[col->col] : NULL,
			                    .bit = all ? 0 : TM_EV_BIT(col->col),
			                    .type = tm_ev_columns[col->col].type };
	}
}

/* Go on to the first row of the table at or after the cursor. */
static void settle(struct feed_cursor *c)
{
	const struct feed *f = c->of->feed;

	for (; c->block < f->n; c->block++, c->row = 0) {
		const struct tm_batch *b = &f->rows[c->block].b;

		if (!c->row)
			enter(c);
		while (c->row < b->n && !tm_run_table_takes(c->of->table, b, c->row))
			c->row++;
		if (c->row < b->n)
			return;
	}
}

static int feed_filter(sqlite3_vtab_cursor *cur, int number, const char *text, int argc,
                       sqlite3_value **argv)
{
	struct feed_cursor *c = (struct feed_cursor *)cur;

	(void)number;
	(void)text;
	(void)argc;
	(void)argv;
	c->block = 0;
	c->row = 0;
	settle(c);
	return SQLITE_OK;
}

static int feed_next(sqlite3_vtab_cursor *cur)
{
	struct feed_cursor *c = (struct feed_cursor *)cur;

	c->row++;
	settle(c);
	return SQLITE_OK;
}

static int feed_eof(sqlite3_vtab_cursor *cur)
{
	const struct feed_cursor *c = (const struct feed_cursor *)cur;

	return c->block >= c->of->feed->n;
}

static int feed_column(sqlite3_vtab_cursor *cur, sqlite3_context *ctx, int i)
{
	const struct feed_cursor *c = (const struct feed_cursor *)cur;
	const struct feed_cell *k = &c->cell[i];
	const char *word;
	uint64_t v;

	if (!k->at || (k->bit && !(c->row_has[c->row] & k->bit)))
		return SQLITE_OK; /* NULL */
	v = k->at[c->row];
	switch (k->type) {
	case TM_EVT_NUMBER:
	case TM_EVT_TIME:
	case TM_EVT_AGENT:
	case TM_EVT_SUM:
	case TM_EVT_STATE:
		sqlite3_result_int64(ctx, (sqlite3_int64)v);
		break;
	case TM_EVT_REAL:
		sqlite3_result_double(ctx, tm_cell_real(v));
		break;
	case TM_EVT_NAME:
		sqlite3_result_int64(ctx, c->map[v]);
		break;
	case TM_EVT_DOMAIN:
		word = tm_domain_text((enum tm_domain)v);
		sqlite3_result_text(ctx, word, (int)strlen(word), SQLITE_STATIC);
		break;
	}
	return SQLITE_OK;
}

static int feed_rowid(sqlite3_vtab_cursor *cur, sqlite3_int64 *id)
{
	const struct feed_cursor *c = (const struct feed_cursor *)cur;

	*id = (sqlite3_int64)((uint64_t)c->block << 32 | c->row);
	return SQLITE_OK;
}

int tm_feed_register(sqlite3 *db, struct feed_of *of)
{
	/* No xCreate: the tables are there without CREATE VIRTUAL TABLE. */
	static const sqlite3_module module = {
		.xConnect = feed_connect,
		.xBestIndex = feed_best_index,
		.xDisconnect = feed_disconnect,
		.xOpen = feed_open,
		.xClose = feed_close,
		.xFilter = feed_filter,
		.xNext = feed_next,
		.xEof = feed_eof,
		.xColumn = feed_column,
		.xRowid = feed_rowid,
	};
	int rc = SQLITE_OK;

	for (int i = 0; rc == SQLITE_OK && i < TM_RUN_TABLES; i++) {
		char name[32];

		sqlite3_snprintf(sizeof name, name, "feed_%s", of[i].table->name);
		rc = sqlite3_create_module_v2(db, name, &module, &of[i], NULL);
	}
	return rc;
}
