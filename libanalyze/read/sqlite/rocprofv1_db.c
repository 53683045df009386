/* SPDX-License-Identifier: MIT
 * results.db of rocprof (v1): what its columns are is in schemas/rocprofv1_db.def.
 *
 * KERN holds the dispatches, with a column for each counter, OPS the kernels of a HIP trace, COPY
 * the copies, HIP and HSA the calls, rocTX the markers.  Where KERN and OPS both have rows they are
 * the same kernels seen twice; OPS counts, as it does in rocprof's own statistics.  Names in KERN
 * stand in quotes. Dispatches have times only where rocprof was told to take them. */
#include "read/sqlite/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum query_id { Q_kern, Q_op, Q_op_old, Q_api, Q_api_old, Q_mark, Q_mark_old };

static const struct sq_column all_columns[] = {
#define COLUMN(query, names, how, column) { 't', names, how, column, 0, 0 },
#include "schemas/rocprofv1_db.def"
};

static const enum query_id all_queries[] = {
#define COLUMN(query, names, how, column) Q_##query,
#include "schemas/rocprofv1_db.def"
};

/* Columns of KERN that are no counters, besides those above. */
static const char known[] = "queue-index fbar sig obj DispatchNs CompleteNs DurationNs";

struct rocprofv1 {
	struct sq_rows rows;
};

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_sqlite_file_bid(p, n);
}

/* The columns of a query into columns[0 .. SQ_CELLS], without times if it is to be. */
static size_t columns_of(enum query_id id, bool timeless, struct sq_column *columns)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++)
		if (all_queries[i] == id && !(timeless && all_columns[i].how == SQ_TIME))
			columns[n++] = all_columns[i];
	columns[n].names = NULL;
	return n;
}

/* Does the table have rows? */
static bool has_rows(struct rocprofv1 *t, const char *table)
{
	struct sq_rows *q = &t->rows;
	sqlite3_stmt *st = NULL;
	int rc;

	if (!tm_sqlite_file_has(q->r->file, table) ||
	    !tm_sq_prepare(q, &st, "SELECT 1 FROM \"%w\" LIMIT 1", table))
		return false;
	rc = sqlite3_step(st);
	if (rc == SQLITE_NOMEM)
		tm_sq_oom(q);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		tm_sq_damaged(q, "a table cannot be read");
	sqlite3_finalize(st);
	return rc == SQLITE_ROW;
}

static void fix(struct sq_part *p, enum tm_ev_col c, uint64_t value)
{
	p->fixed[p->nfixed].col = c;
	p->fixed[p->nfixed++].value = value;
}

static enum tm_status finish(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                             enum tm_ev_kind *kind)
{
	uint64_t name;

	(void)kind;
	if (!(q->r->want & TM_EV_BIT(TM_EVC_NAME)) || row->has & TM_EV_BIT(TM_EVC_NAME))
		return TM_ST_OK;
	if (!tm_sq_unnamed(q, p, &name))
		return TM_ST_FATAL;
	tm_ev_put(row, TM_EVC_NAME, name);
	return TM_ST_OK;
}

/* A counter that the dispatch does not have is no event. */
static enum tm_status finish_counter(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                     enum tm_ev_kind *kind)
{
	if (q->r->want & TM_EV_BIT(TM_EVC_VALUE) && !(row->has & TM_EV_BIT(TM_EVC_VALUE)))
		return TM_ST_END;
	return finish(q, p, row, kind);
}

/* One table as events of a kind. */
static bool add_part(struct rocprofv1 *t, const char *table, enum query_id id, enum tm_ev_kind kind,
                     enum tm_domain domain)
{
	struct sq_column columns[SQ_CELLS + 1];
	struct sq_query query = { .what = table, .table = table, .column = columns };
	struct sq_part *p;

	columns_of(id, false, columns);
	p = tm_sq_rows_add(&t->rows, &query, kind, NULL);
	if (!p)
		return !t->rows.dead;
	p->finish = finish;
	if (kind == TM_EV_API)
		fix(p, TM_EVC_DOMAIN, domain);
	return true;
}

/* Is that column of KERN a counter? */
static bool is_counter(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++)
		for (const char *p = all_queries[i] == Q_kern ? all_columns[i].names : ""; *p;) {
			size_t k = strcspn(p, " ");

			if (k == n && !strncasecmp(p, name, n))
				return false;
			p += k + strspn(p + k, " ");
		}
	for (const char *p = known; *p;) {
		size_t k = strcspn(p, " ");

		if (k == n && !strncasecmp(p, name, n))
			return false;
		p += k + strspn(p + k, " ");
	}
	return true;
}

/* The counters of KERN, each a part of its own. */
static bool add_counters(struct rocprofv1 *t, const char *table, bool timeless)
{
	struct sq_rows *q = &t->rows;
	const struct sq_shape *shape = tm_sq_shape_of(q, table);

	for (size_t i = 0; shape && i < shape->n; i++) {
		struct sq_column columns[SQ_CELLS + 1];
		struct sq_query query = { .what = "counters", .table = table, .column = columns };
		const char *name = shape->column[i];
		struct sq_part *p;
		uint64_t id;
		char *sql;
		size_t n;

		if (!is_counter(name))
			continue;
		sql = sqlite3_mprintf("=t.\"%w\"", name);
		if (!sql) {
			tm_sq_oom(q);
			return false;
		}
		n = columns_of(Q_kern, timeless, columns);
		columns[n] = (struct sq_column) {
			.from = 't', .names = sql, .how = SQ_REAL, .col = TM_EVC_VALUE
		};
		columns[n + 1].names = NULL;
		p = tm_sq_name(q, name, strlen(name), &id)
		            ? tm_sq_rows_add(q, &query, TM_EV_COUNTER, NULL)
		            : NULL;
		sqlite3_free(sql);
		if (!p)
			return !q->dead;
		fix(p, TM_EVC_COUNTER, id);
		p->finish = finish_counter;
	}
	return !q->dead;
}

/* The dispatches, unless OPS has them. */
static bool add_kernels(struct rocprofv1 *t, bool ops)
{
	struct sq_rows *q = &t->rows;
	const char *table = tm_sqlite_file_has(q->r->file, "KERN") ? "KERN" : "A";
	bool rows = has_rows(t, table);
	bool timed = tm_sq_column_name(q, table, "BeginNs") && tm_sq_column_name(q, table, "EndNs");

	if (q->dead || !rows)
		return !q->dead;
	if (ops) {
		sqlite3_stmt *st = NULL;

		if (!tm_sq_prepare(q, &st, "SELECT count(*) FROM \"%w\" NOT INDEXED", table))
			return false;
		if (sqlite3_step(st) == SQLITE_ROW)
			tm_loss_count(&q->r->loss, TM_LOSS_ROW_TWICE,
			              (uint64_t)sqlite3_column_int64(st, 0), 0);
		else
			tm_sq_damaged(q, "a table cannot be read");
		sqlite3_finalize(st);
		if (q->dead)
			return false;
	} else {
		struct sq_column columns[SQ_CELLS + 1];
		struct sq_query query = { .what = table, .table = table, .column = columns };
		struct sq_part *p;

		columns_of(Q_kern, !timed, columns);
		p = tm_sq_rows_add(q, &query, TM_EV_DISPATCH, NULL);
		if (!p)
			return !q->dead;
		p->finish = finish;
	}
	return add_counters(t, table, !timed);
}

/* Is this table one of before 4.3? */
static bool is_old(struct rocprofv1 *t, const char *table)
{
	return !tm_sq_column_name(&t->rows, table, "__section");
}

static bool prepare(struct rocprofv1 *t)
{
	bool ops = has_rows(t, "OPS");

	return !t->rows.dead && add_kernels(t, ops) &&
	       add_part(t, "OPS", is_old(t, "OPS") ? Q_op_old : Q_op, TM_EV_DISPATCH,
	                TM_DOMAIN_KERNEL) &&
	       add_part(t, "COPY", is_old(t, "COPY") ? Q_op_old : Q_op, TM_EV_COPY,
	                TM_DOMAIN_COPY) &&
	       add_part(t, "HIP", is_old(t, "HIP") ? Q_api_old : Q_api, TM_EV_API, TM_DOMAIN_HIP) &&
	       add_part(t, "HSA", is_old(t, "HSA") ? Q_api_old : Q_api, TM_EV_API, TM_DOMAIN_HSA) &&
	       add_part(t, "rocTX", is_old(t, "rocTX") ? Q_mark_old : Q_mark, TM_EV_API,
	                TM_DOMAIN_MARKER);
}

static const char *producer_of(struct rocprofv1 *t)
{
	static const char *const tables[] = { "OPS", "COPY", "HIP", "HSA", "rocTX" };
	struct sq_rows *q = &t->rows;

	if (tm_sqlite_file_has(q->r->file, "A"))
		return "rocprof up to 4.2";
	if (tm_sq_column_name(q, "KERN", "arch_vgpr"))
		return "rocprof 5.3 or later";
	if (tm_sq_column_name(q, "OPS", "roctx-range") ||
	    tm_sq_column_name(q, "COPY", "roctx-range"))
		return "rocprof 5.2 or later";
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (tm_sq_column_name(q, tables[i], "__section"))
			return "rocprof 4.3 or later";
	return "rocprof";
}

static enum tm_status rocprofv1_open(struct tm_reader *r, struct tm_diag *d)
{
	struct rocprofv1 *t = r->priv;
	enum tm_status st = tm_sqlite_file_open(r, d);
	static const char *const tables[] = { "KERN", "A", "OPS", "COPY", "HIP", "HSA", "rocTX" };
	bool any = false;

	if (st != TM_ST_OK)
		return st;
	tm_sq_rows_init(&t->rows, r, "database of rocprof");
	r->table = "profile database";
	if (!tm_sqlite_file_tables(r->file))
		tm_sq_damaged(&t->rows, "its tables cannot be listed");
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		any |= tm_sqlite_file_has(r->file, tables[i]);
	if (!t->rows.dead && !any) {
		t->rows.dead = true;
		tm_diag_set(&t->rows.why, 0, "not a database of rocprof: it has no table KERN");
	}
	if (!t->rows.dead && prepare(t) && tm_sq_unused_end(&t->rows)) {
		r->producer = producer_of(t);
		return TM_ST_OK;
	}
	if (d)
		*d = t->rows.why;
	return TM_ST_FATAL;
}

static enum tm_status rocprofv1_next(struct tm_reader *r, const struct tm_batch **b,
                                     struct tm_diag *d)
{
	struct rocprofv1 *t = r->priv;

	return tm_sq_rows_next(&t->rows, b, d);
}

static void rocprofv1_close(struct tm_reader *r)
{
	struct rocprofv1 *t = r->priv;

	tm_sq_rows_fini(&t->rows);
}

const struct tm_reader_ops tm_reader_rocprofv1_db = {
	.name = "rocprofv1-db",
	.about = "results.db of rocprof v1 (SQLite)",
	.bid = bid,
	.dialect = tm_sqlite_file_dialect,
	.priv_size = sizeof(struct rocprofv1),
	.open = rocprofv1_open,
	.next = rocprofv1_next,
	.close = rocprofv1_close,
};
