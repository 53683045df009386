/* SPDX-License-Identifier: MIT
 * run.db of tracemerge(1): the traces of many processes in one SQLite database, schemas/run.sql.
 *
 * Read input by input, each table after the other, so that what comes out is what the traces gave.
 * Rollups stand in for the events where the caller wants them (TM_EVC_SKETCH), or nothing else is
 * there. The file is not trusted: opened read-only, its views and triggers are never run, every
 * value is checked for its type.  Text is text whatever it holds. */
#include "read/sqlite/run_db.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- opening ---- */

/* All SQLite files look alike at first; run.db says its name. */
static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	unsigned bits = tm_sqlite_file_bid(p, n);

	(void)whole;
	return bits && sqlite_file_word(p + SQLITE_APPLICATION) == TM_RUN_APPLICATION ? bits + 32
	                                                                              : bits;
}

static enum tm_status damaged(struct run_db *t, const char *what, struct tm_diag *d)
{
	t->dead = true;
	tm_sqlite_file_why(t->file, "run.db", what, &t->why);
	if (d)
		*d = t->why;
	return TM_ST_FATAL;
}

static enum tm_status no_memory(struct run_db *t, struct tm_diag *d)
{
	t->dead = true;
	tm_diag_oom(&t->why);
	if (d)
		*d = t->why;
	return TM_ST_FATAL;
}

/* Why the last call on the database failed: it may be damaged, but not for want of memory. */
static enum tm_status refused(struct run_db *t, const char *what, struct tm_diag *d)
{
	return t->starved || sqlite3_errcode(t->db) == SQLITE_NOMEM ? no_memory(t, d)
	                                                            : damaged(t, what, d);
}

static bool prepare(struct run_db *t, sqlite3_stmt **st, const char *sql)
{
	return sqlite3_prepare_v2(t->db, sql, -1, st, NULL) == SQLITE_OK;
}

/* A pragma that is one number. */
static bool number_of(struct run_db *t, const char *sql, sqlite3_int64 *v)
{
	sqlite3_stmt *st = NULL;
	bool ok = prepare(t, &st, sql) && sqlite3_step(st) == SQLITE_ROW;

	if (ok)
		*v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return ok;
}

/* Is `name` a table in its own right?  A view or a virtual table would run somebody's code. */
static bool is_table(struct run_db *t, const char *name)
{
	sqlite3_stmt *st = NULL;
	bool ok = prepare(
	        t, &st, "SELECT 1 FROM sqlite_schema WHERE name=? AND type='table' AND rootpage>0");

	if (ok) {
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
		ok = sqlite3_step(st) == SQLITE_ROW;
	}
	t->starved |= !ok && sqlite3_errcode(t->db) == SQLITE_NOMEM;
	sqlite3_finalize(st);
	return ok;
}

/* What .dump makes a copy of has no header of ours: the latest version all columns of which are
 * there. */
static int guess_version(struct run_db *t)
{
	int version = TM_RUN_VERSION;

	for (int i = 0; i < TM_RUN_TABLES && !t->totals; i++)
		for (const struct tm_run_column *c = tm_run_tables[i].column; c->name; c++)
			if (c->version && c->version <= version &&
			    sqlite3_table_column_metadata(t->db, NULL, tm_run_tables[i].name,
			                                  c->name, NULL, NULL, NULL, NULL,
			                                  NULL) != SQLITE_OK)
				version = c->version - 1;
	if (version >= RUN_WHOLE && !is_table(t, "packed_whole"))
		version = RUN_WHOLE - 1;
	if (version >= RUN_STATES && !is_table(t, "state"))
		version = RUN_STATES - 1;
	return version;
}

/* Are all tables there that a database of that version has? */
static bool has_tables(struct run_db *t)
{
	static const char *const any[] = { "input", "rank", "loss", "clock", "extent", NULL };
	static const char *const events[] = { "name", "rollup", NULL };
	static const char *const totals[] = { "packed_name", "stat", "agent", NULL };
	const char *const *const lists[] = { any, t->totals ? totals : events };

	for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
		for (const char *const *name = lists[k]; *name; name++)
			if (!is_table(t, *name))
				return false;
	for (int i = 0; i < TM_RUN_TABLES && !t->totals; i++)
		if (!is_table(t, tm_run_tables[i].name))
			return false;
	return (t->version < RUN_STATES || is_table(t, "state")) &&
	       (t->version < RUN_WHOLE || is_table(t, "packed_whole"));
}

static enum tm_status check_schema(struct run_db *t, struct tm_diag *d)
{
	sqlite3_int64 application, version;

	t->totals = is_table(t, "packed_rollup");
	if (!number_of(t, "PRAGMA application_id", &application) ||
	    !number_of(t, "PRAGMA user_version", &version))
		return refused(t, "no header", d);
	if (!application && !version)
		version = guess_version(t);
	if (application && application != TM_RUN_APPLICATION) {
		tm_diag_set(d, 0,
		            "an SQLite database of another program: only run.db of tracemerge is "
		            "supported");
		return TM_ST_SKIP;
	}
	if (!version) {
		tm_diag_set(
		        d, 0,
		        "incomplete run.db: tracemerge was stopped before it was done; merge the "
		        "traces again");
		return TM_ST_FATAL;
	}
	if (version < TM_RUN_OLDEST || version > TM_RUN_VERSION) {
		tm_diag_set(d, 0,
		            "run.db version %lld; supported are %d to %d: merge the traces again, "
		            "or use a newer tracemill",
		            (long long)version, TM_RUN_OLDEST, TM_RUN_VERSION);
		return TM_ST_FATAL;
	}
	t->version = (int)version;
	t->totals &= version >= RUN_PACKED;
	return has_tables(t) ? TM_ST_OK : refused(t, "a table is missing", d);
}

/* ---- what there is in it ---- */

static bool get_int(sqlite3_stmt *st, int i, sqlite3_int64 *v)
{
	*v = sqlite3_column_int64(st, i);
	return sqlite3_column_type(st, i) == SQLITE_INTEGER;
}

static bool get_u64(sqlite3_stmt *st, int i, uint64_t *v)
{
	sqlite3_int64 s;

	if (!get_int(st, i, &s))
		return false;
	*v = (uint64_t)s;
	return true;
}

/* A copy of a text; false when it is none, or out of memory.  C strings: cut at a NUL. */
static bool get_text(struct run_db *t, sqlite3_stmt *st, int i, char **out)
{
	const unsigned char *p;

	if (sqlite3_column_type(st, i) != SQLITE_TEXT)
		return false;
	p = sqlite3_column_text(st, i);
	*out = p ? strdup((const char *)p) : NULL;
	t->starved |= !*out;
	return *out != NULL;
}

/* The same for a text of the trace, to be freed with it. */
static bool id_text(struct run_db *t, sqlite3_stmt *st, int i, const char **out)
{
	char *own = NULL;
	bool ok = get_text(t, st, i, &own);

	*out = own;
	return ok;
}

static bool read_input(struct run_db *t, sqlite3_stmt *st)
{
	struct run_input *in;
	struct tm_origin *o;
	char *rule = NULL;
	sqlite3_int64 only;
	bool ok;

	if (!tm_grow_array(&t->input, &t->cap, t->ninputs + 1, sizeof *t->input) ||
	    !tm_grow_array(&t->origin, &t->origin_cap, t->ninputs + 1, sizeof *t->origin)) {
		t->starved = true;
		return false;
	}
	in = &t->input[t->ninputs];
	o = &t->origin[t->ninputs++];
	*in = (struct run_input) { 0 };
	*o = (struct tm_origin) { 0 };
	ok = get_int(st, 0, &in->id) && id_text(t, st, 1, &o->id.path) &&
	     id_text(t, st, 2, &o->id.run) && get_u64(st, 3, &o->id.rank) &&
	     get_text(t, st, 4, &rule) && tm_rank_rule_find(rule, &o->id.rule) &&
	     id_text(t, st, 5, &o->id.format) && id_text(t, st, 6, &o->id.table) &&
	     get_u64(st, 8, &o->loss.rows) && get_int(st, 9, &only);
	free(rule);
	if (!ok)
		return false;
	in->stats_only = only != 0;
	o->totals = in->stats_only ? t->name : NULL;
	get_u64(st, 7, &o->id.bytes);
	o->has_content = get_u64(st, 10, &o->content);
	get_text(t, st, 11, &in->problem);
	id_text(t, st, 12, &o->id.producer);
	id_text(t, st, 13, &o->id.own_run);
	o->problem = in->problem;
	/* What may be absent is not, where memory ran out. */
	return !t->starved;
}

/* The input with that id; SIZE_MAX if there is none.  They come in the order of their ids. */
static size_t input_of(const struct run_db *t, sqlite3_int64 id)
{
	size_t lo = 0, hi = t->ninputs;

	TM_BISECT(lo, hi, mid, t->input[mid].id < id);
	return lo < t->ninputs && t->input[lo].id == id ? lo : SIZE_MAX;
}

static bool read_loss(struct run_db *t, sqlite3_stmt *st)
{
	sqlite3_int64 id;
	size_t at = get_int(st, 0, &id) ? input_of(t, id) : SIZE_MAX;
	const unsigned char *word = sqlite3_column_text(st, 1);
	struct tm_lost lost = { 0 };
	enum tm_loss_reason k = 0;

	if (at == SIZE_MAX || !word || !get_u64(st, 2, &lost.n))
		return false;
	while (k < TM_LOSS_REASONS && strcmp((const char *)word, tm_losses[k].word) != 0)
		k++;
	/* One of a later version is passed over. */
	if (k < TM_LOSS_REASONS) {
		if (!get_u64(st, tm_loss_has_line(k) ? 3 : 4, &lost.at))
			lost.at = 0;
		t->origin[at].loss.of[k] = lost;
	}
	return true;
}

static bool read_clock(struct run_db *t, sqlite3_stmt *st)
{
	sqlite3_int64 id;
	size_t at = get_int(st, 0, &id) ? input_of(t, id) : SIZE_MAX;
	struct tm_origin *o = at == SIZE_MAX ? NULL : &t->origin[at];
	struct tm_realtime r = { 0 };
	sqlite3_int64 rate;

	if (!o || t->input[at].method || !get_u64(st, 2, &r.readings) ||
	    !get_text(t, st, 5, &t->input[at].method) || !get_u64(st, 6, &o->line.offset_ns) ||
	    !get_u64(st, 8, &o->line.origin_ns) || !get_int(st, 9, &rate) ||
	    rate <= -TM_CLOCK_RATE_MOST || rate >= TM_CLOCK_RATE_MOST)
		return false;
	o->line.rate = rate;
	if (!id_text(t, st, 1, &o->id.clock) && t->starved)
		return false;
	o->method = t->input[at].method;
	o->has_residual = get_u64(st, 7, &o->residual_ns);
	if (!r.readings)
		return true;
	o->id.realtime = r;
	return get_u64(st, 3, &o->id.realtime.low_ns) && get_u64(st, 4, &o->id.realtime.high_ns) &&
	       o->id.realtime.low_ns <= o->id.realtime.high_ns && !(o->id.realtime.high_ns >> 63);
}

static bool read_clock_part(struct run_db *t, sqlite3_stmt *st)
{
	sqlite3_int64 id;
	size_t at = get_int(st, 0, &id) ? input_of(t, id) : SIZE_MAX;
	struct tm_clock_part *part;
	struct run_input *in;

	if (at == SIZE_MAX)
		return false;
	in = &t->input[at];
	if (!tm_grow_array(&in->part, &in->parts_cap, in->parts + 1, sizeof *in->part)) {
		t->starved = true;
		return false;
	}
	part = &in->part[in->parts++];
	t->origin[at].part = in->part;
	t->origin[at].parts = in->parts;
	return get_u64(st, 1, &part->from_ns) && get_u64(st, 2, &part->to_ns) &&
	       get_u64(st, 3, &part->error_ns);
}

static bool read_extent(struct run_db *t, sqlite3_stmt *st)
{
	sqlite3_int64 id, first, rows, last;
	size_t at = get_int(st, 0, &id) ? input_of(t, id) : SIZE_MAX;
	const unsigned char *table = sqlite3_column_text(st, 1);
	int k = 0;

	if (at == SIZE_MAX || !table || !get_int(st, 2, &first) || !get_int(st, 3, &rows) ||
	    rows < 0 || __builtin_add_overflow(first, rows, &last))
		return false;
	while (k < TM_RUN_TABLES && strcmp((const char *)table, tm_run_tables[k].name) != 0)
		k++;
	if (k == ROLLUPS && !strcmp((const char *)table, "state"))
		k = STATES;
	if (k == ROLLUPS && !strcmp((const char *)table, "packed_rollup"))
		k = PACKED;
	if (k == ROLLUPS && strcmp((const char *)table, "rollup") != 0)
		return true; /* a table of a later version */
	t->input[at].extent[k] = (struct extent_of) { .first = first, .rows = rows };
	return true;
}

static bool read_rank(struct run_db *t, sqlite3_stmt *st)
{
	sqlite3_int64 id;
	size_t at = get_int(st, 2, &id) ? input_of(t, id) : SIZE_MAX;
	struct tm_run_rank *r;

	if (at == SIZE_MAX)
		return false;
	if (!tm_grow_array(&t->rank, &t->ranks_cap, t->nranks + 1, sizeof *t->rank)) {
		t->starved = true;
		return false;
	}
	r = &t->rank[t->nranks++];
	*r = (struct tm_run_rank) { 0 };
	r->has_pid = get_u64(st, 1, &r->pid);
	if (!t->origin[at].id.host)
		id_text(t, st, 3, &t->origin[at].id.host);
	return get_int(st, 0, &r->id);
}

/* Every row of a query through a function. */
static bool each(struct run_db *t, const char *sql, bool (*take)(struct run_db *, sqlite3_stmt *))
{
	sqlite3_stmt *st = NULL;
	bool ok = prepare(t, &st, sql);
	int rc = SQLITE_ERROR;

	while (ok && (rc = sqlite3_step(st)) == SQLITE_ROW)
		ok = take(t, st);
	sqlite3_finalize(st);
	return ok && rc == SQLITE_DONE;
}

/* Names in order of their ids, which must be 0, 1, 2 ...: so they are the same here as there, as
 * long as no text stands there twice. */
static bool read_names(struct run_db *t, struct tm_names *names)
{
	sqlite3_stmt *st = NULL;
	bool ok = prepare(t, &st, "SELECT id,text FROM name ORDER BY id");
	int rc = SQLITE_ERROR;

	while (ok && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		uint32_t want = names->n;
		bool text = sqlite3_column_type(st, 1) == SQLITE_TEXT;
		const unsigned char *p = sqlite3_column_text(st, 1);
		uint32_t got = TM_NAME_NONE;
		uint64_t id;

		ok = get_u64(st, 0, &id) && id == want && text;
		if (ok && p)
			got = tm_names_add(names, (const char *)p,
			                   (size_t)sqlite3_column_bytes(st, 1));
		t->starved |= ok && got == TM_NAME_NONE;
		ok = ok && got == want;
	}
	sqlite3_finalize(st);
	return ok && rc == SQLITE_DONE;
}

/* ---- statements ---- */

/* SELECT rank_id and the wanted columns of one table. */
static bool prepare_table(struct run_db *t, int k, tm_ev_set want)
{
	const struct tm_run_table *table = &tm_run_tables[k];
	struct tm_buf sql = { 0 };
	size_t n = 0;
	bool ok;

	tm_buf_str(&sql, "SELECT rank_id");
	for (const struct tm_run_column *c = table->column; c->name; c++) {
		if (!(want & TM_EV_BIT(c->col)) || c->version > t->version)
			continue;
		tm_buf_fmt(&sql, ",%s", c->name);
		t->column[k][n++] = c;
	}
	tm_buf_fmt(&sql, " FROM %s WHERE id>=?1 AND id<?2 ORDER BY id", table->name);
	t->starved |= sql.failed;
	ok = !sql.failed && prepare(t, &t->select[k], sql.p);
	tm_buf_fini(&sql);
	return ok;
}

static const struct tm_run_column rollup_columns[] = {
	{ "domain", TM_EVC_DOMAIN, 0 },       { "name", TM_EVC_NAME, 0 },
	{ "counter", TM_EVC_COUNTER, 0 },     { "agent", TM_EVC_AGENT, 0 },
	{ "calls", TM_EVC_CALLS, 0 },         { "total_ns", TM_EVC_TOTAL, 0 },
	{ "total_hi", TM_EVC_TOTAL_HI, 0 },   { "squares_0", TM_EVC_SQUARES_0, 0 },
	{ "squares_1", TM_EVC_SQUARES_1, 0 }, { "squares_2", TM_EVC_SQUARES_2, 0 },
	{ "min_ns", TM_EVC_MIN, 0 },          { "max_ns", TM_EVC_MAX, 0 },
};

enum { NROLLUP = sizeof rollup_columns / sizeof *rollup_columns };

static bool prepare_rollups(struct run_db *t)
{
	struct tm_buf sql = { 0 };
	bool ok;

	/* Column 0 is where the tables have rank_id; the sketch is the last one. */
	tm_buf_str(&sql, "SELECT input");
	for (size_t i = 0; i < NROLLUP; i++) {
		tm_buf_fmt(&sql, ",%s", rollup_columns[i].name);
		t->column[ROLLUPS][i] = &rollup_columns[i];
	}
	tm_buf_str(&sql, ",sketch FROM rollup WHERE id>=?1 AND id<?2 ORDER BY id");
	t->starved |= sql.failed;
	ok = !sql.failed && prepare(t, &t->select[ROLLUPS], sql.p);
	tm_buf_fini(&sql);
	return ok;
}

static const struct tm_run_column state_columns[] = { { "question", TM_EVC_NAME, 0 } };

/* Column 0 is where the tables have rank_id; the bytes are the last one. */
static bool prepare_states(struct run_db *t)
{
	t->column[STATES][0] = state_columns;
	return t->version < RUN_STATES ||
	       prepare(t, &t->select[STATES],
	               "SELECT input,question,bytes FROM state WHERE id>=?1 AND id<?2 ORDER BY id");
}

static bool make_arrays(struct run_db *t, const struct tm_names *names)
{
	const size_t row = sizeof(tm_ev_set) + TM_EVC_N * sizeof(uint64_t);
	uint64_t *p;

	t->store = calloc(TM_BATCH_ROWS, row);
	if (!t->store)
		return false;
	t->batch.row_has = t->store;
	p = (uint64_t *)(t->batch.row_has + TM_BATCH_ROWS);
	for (int c = 0; c < TM_EVC_N; c++, p += TM_BATCH_ROWS)
		t->batch.col[c] = p;
	t->batch.names = names;
	return true;
}

/* Tables that are not those of a run.  False when out of memory. */
static bool note_foreign(struct tm_reader *r)
{
	static const char *const own[] = { "meta",        "input",       "rank",          "name",
		                           "loss",        "clock",       "clock_part",    "extent",
		                           "rollup",      "packed_name", "packed_rollup", "state",
		                           "packed_whole" };
	bool ok = true;

	if (!(r->want & TM_UNUSED_WANT) || !tm_sqlite_file_tables(r->file))
		return !r->file->oom;
	for (size_t i = 0; ok && i < r->file->ntables; i++) {
		const char *table = r->file->table[i];
		bool known = false;

		for (size_t k = 0; k < sizeof own / sizeof *own; k++)
			known |= !strcasecmp(table, own[k]);
		for (int k = 0; k < TM_RUN_TABLES; k++)
			known |= !strcasecmp(table, tm_run_tables[k].name);
		ok = known || tm_reader_unused(r, TM_UNUSED_TABLE, table, strlen(table));
	}
	return ok;
}

/* Statements for the tables that have rows; of a file of totals few do, and each takes time. */
static bool prepare_selects(struct run_db *t, tm_ev_set want)
{
	bool any[EXTENTS] = { false }, ok = true;

	for (size_t i = 0; i < t->ninputs; i++)
		for (int k = 0; k < EXTENTS; k++)
			any[k] |= t->input[i].extent[k].rows != 0;
	for (int k = 0; ok && k < TM_RUN_TABLES; k++)
		ok = !any[k] || prepare_table(t, k, want);
	return ok && (!any[ROLLUPS] || prepare_rollups(t)) &&
	       (!any[PACKED] || tm_run_packed_prepare(t)) && (!any[STATES] || prepare_states(t));
}

static enum tm_status run_open(struct tm_reader *r, struct tm_diag *d)
{
	struct run_db *t = r->priv;
	enum tm_status st = tm_sqlite_file_open(r, d);

	if (st == TM_ST_OK) {
		t->file = r->file;
		t->db = r->file->db;
		t->name = r->src ? tm_source_name(r->src) : "";
		st = check_schema(t, d);
	}
	if (st != TM_ST_OK)
		return st;
	if (!make_arrays(t, &r->names))
		return no_memory(t, d);
	if (!each(t,
	          t->version < RUN_DRIFT
	                  ? "SELECT id,path,run,rank,rule,format,kind,bytes,events,stats_only,"
	                    "content,problem,producer,NULL FROM input ORDER BY id"
	                  : "SELECT id,path,run,rank,rule,format,kind,bytes,events,stats_only,"
	                    "content,problem,producer,own_run FROM input ORDER BY id",
	          read_input) ||
	    !each(t,
	          t->version < RUN_DRIFT
	                  ? "SELECT input,clock,readings,real_low_ns,real_high_ns,method,"
	                    "offset_ns,residual_ns,0,0 FROM clock"
	                  : "SELECT input,clock,readings,real_low_ns,real_high_ns,method,"
	                    "offset_ns,residual_ns,origin_ns,rate FROM clock",
	          read_clock) ||
	    (t->version >= RUN_DRIFT &&
	     !each(t, "SELECT input,from_ns,to_ns,error_ns FROM clock_part ORDER BY input,part",
	           read_clock_part)) ||
	    !each(t, "SELECT id,pid,input,host FROM rank ORDER BY id", read_rank) ||
	    !each(t, "SELECT input,reason,rows,line,at_byte FROM loss", read_loss) ||
	    !each(t, "SELECT input,tbl,first,rows FROM extent", read_extent) ||
	    !(t->totals ? tm_run_packed_names : read_names)(t, &r->names))
		return refused(t, "a row does not fit", d);
	if (!prepare_selects(t, r->want))
		return refused(t, "a column is missing", d);
	if (!note_foreign(r))
		return no_memory(t, d);
	r->table = "merged run";
	r->origins = t->origin;
	r->norigins = t->ninputs;
	return TM_ST_OK;
}

/* ---- reading ---- */

/* One cell; false when it is not what its column holds.  The value is looked for once: of a
 * connection without mutexes all are protected. */
static bool read_cell(const struct run_db *t, sqlite3_stmt *st, int i,
                      const struct tm_run_column *c, uint32_t row, tm_ev_set *has)
{
	sqlite3_value *cell = sqlite3_column_value(st, i);
	const int type = sqlite3_value_type(cell);
	uint64_t *out = &t->batch.col[c->col][row];
	enum tm_domain d;

	if (type == SQLITE_NULL)
		return true;
	*has |= TM_EV_BIT(c->col);
	if (type == SQLITE_INTEGER)
		*out = (uint64_t)sqlite3_value_int64(cell);
	switch (tm_ev_columns[c->col].type) {
	case TM_EVT_NUMBER:
	case TM_EVT_TIME:
	case TM_EVT_SUM:
	case TM_EVT_STATE:
		return type == SQLITE_INTEGER;
	case TM_EVT_AGENT:
		return type == SQLITE_INTEGER && *out >> 32 <= TM_AGENT_CPU;
	case TM_EVT_REAL:
		*out = tm_real_bits(sqlite3_value_double(cell));
		return type == SQLITE_FLOAT && isfinite(tm_cell_real(*out));
	case TM_EVT_NAME:
		return type == SQLITE_INTEGER && *out < t->batch.names->n;
	case TM_EVT_DOMAIN:
		if (type != SQLITE_TEXT)
			return false;
		d = tm_domain_find((const char *)sqlite3_column_text(st, i),
		                   (size_t)sqlite3_column_bytes(st, i));
		/* One of a later version is one this version does not know. */
		*out = d == TM_DOMAIN_N ? TM_DOMAIN_OTHER : d;
		return true;
	}
	return false;
}

static bool read_pid(struct run_db *t, sqlite3_stmt *st, uint32_t row, tm_ev_set *has)
{
	size_t lo = 0, hi = t->nranks;
	sqlite3_int64 id;

	if (!get_int(st, 0, &id))
		return false;
	if (t->rank_at >= t->nranks || t->rank[t->rank_at].id != id) {
		TM_BISECT(lo, hi, mid, t->rank[mid].id < id);
		if (lo == t->nranks || t->rank[lo].id != id)
			return false;
		t->rank_at = lo;
	}
	if (t->rank[t->rank_at].has_pid) {
		t->batch.col[TM_EVC_PID][row] = t->rank[t->rank_at].pid;
		*has |= TM_EV_BIT(TM_EVC_PID);
	}
	return true;
}

/* The bytes of a cell, into a column that says where they are. */
static bool read_bytes(struct run_db *t, sqlite3_stmt *st, int i, enum tm_ev_col col, uint32_t row,
                       tm_ev_set *has)
{
	const void *p = sqlite3_column_blob(st, i);
	size_t n = (size_t)sqlite3_column_bytes(st, i), at = t->bytes.n;

	if (at + n > UINT32_MAX || (n && !p) || (n && !tm_buf_add(&t->bytes, p, n)))
		return false;
	t->batch.col[col][row] = (uint64_t)at << 32 | n;
	*has |= TM_EV_BIT(col);
	return true;
}

static bool read_sketch(struct run_db *t, sqlite3_stmt *st, uint32_t row, tm_ev_set *has)
{
	const tm_ev_set sums = TM_EV_BIT(TM_EVC_TOTAL) | TM_EV_BIT(TM_EVC_TOTAL_HI) |
	                       TM_EV_BIT(TM_EVC_SQUARES_0) | TM_EV_BIT(TM_EVC_SQUARES_1) |
	                       TM_EV_BIT(TM_EVC_SQUARES_2) | TM_EV_BIT(TM_EVC_MIN) |
	                       TM_EV_BIT(TM_EVC_MAX) | TM_EV_BIT(TM_EVC_NAME);

	if (!(*has & TM_EV_BIT(TM_EVC_TOTAL)))
		return (*has & TM_EV_BIT(TM_EVC_CALLS)) && (*has & TM_EV_BIT(TM_EVC_DOMAIN));
	if ((*has & sums) != sums || sqlite3_column_type(st, NROLLUP + 1) != SQLITE_BLOB)
		return false;
	return read_bytes(t, st, NROLLUP + 1, TM_EVC_SKETCH, row, has);
}

/* Does the input have nothing but rollups, or does the caller want them? */
static bool rolled_up(const struct tm_reader *r, const struct run_input *in)
{
	return in->stats_only || r->want & TM_EV_BIT(TM_EVC_SKETCH);
}

/* Is this table to be read of this input? */
static bool wanted(const struct tm_reader *r, const struct run_db *t, const struct run_input *in,
                   int k)
{
	if (!in->extent[k].rows)
		return false;
	if (k == ROLLUPS || k == PACKED)
		return rolled_up(r, in) && !t->whole;
	if (k == WHOLE)
		return true;
	if (k == STATES)
		return in->stats_only && r->want & TM_EV_BIT(TM_EVC_STATE) && t->select[k];
	return !rolled_up(r, in) || tm_run_tables[k].kind == TM_EV_STAT ||
	       tm_run_tables[k].kind == TM_EV_AGENT;
}

/* Stand on the first rows that are to be read, from where reading is on; false at the end. */
static bool settle(struct tm_reader *r, struct run_db *t)
{
	for (; t->at < t->ninputs; t->at++, t->table = 0)
		for (; t->table < EXTENTS; t->table++) {
			const struct run_input *in = &t->input[t->at];
			sqlite3_stmt *st = t->select[t->table];

			if (t->open)
				return true;
			if (!wanted(r, t, in, t->table))
				continue;
			tm_sqlite_file_budget(t->file, 1);
			sqlite3_reset(st);
			sqlite3_bind_int64(st, 1, in->extent[t->table].first);
			sqlite3_bind_int64(st, 2,
			                   in->extent[t->table].first + in->extent[t->table].rows);
			t->open = true;
			return true;
		}
	return false;
}

/* A row of the open statement.  False when it is not as it should be. */
static bool read_row(const struct tm_reader *r, struct run_db *t, uint32_t row, tm_ev_set *has)
{
	sqlite3_stmt *st = t->select[t->table];

	*has = 0;
	if (tm_run_is_packed(t->table))
		return tm_run_packed_row(t, row, has);
	for (int i = 0; t->column[t->table][i]; i++)
		if (!read_cell(t, st, i + 1, t->column[t->table][i], row, has))
			return false;
	if (t->table == ROLLUPS)
		return read_sketch(t, st, row, has);
	if (t->table == STATES)
		return *has & TM_EV_BIT(TM_EVC_NAME) && sqlite3_column_type(st, 2) == SQLITE_BLOB &&
		       read_bytes(t, st, 2, TM_EVC_STATE, row, has);
	if (tm_run_tables[t->table].which == TM_RUN_MARKERS) {
		t->batch.col[TM_EVC_DOMAIN][row] = TM_DOMAIN_MARKER;
		*has |= TM_EV_BIT(TM_EVC_DOMAIN);
	}
	if (r->want & TM_EV_BIT(TM_EVC_PID) && !read_pid(t, st, row, has))
		return false;
	return (*has & (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END))) !=
	               (TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END)) ||
	       t->batch.col[TM_EVC_START][row] <= t->batch.col[TM_EVC_END][row];
}

static enum tm_status run_next(struct tm_reader *r, const struct tm_batch **out, struct tm_diag *d)
{
	struct run_db *t = r->priv;
	struct tm_batch *b = &t->batch;
	int rc = SQLITE_ROW;

	if (t->dead) {
		if (d)
			*d = t->why;
		return TM_ST_FATAL;
	}
	if (r->whole && !t->begun && !tm_run_whole_prepare(t))
		return no_memory(t, d);
	t->begun = true;
	b->n = 0;
	while (!b->n && settle(r, t)) {
		b->kind = t->table == STATES ? TM_EV_STATE
		          : t->table == ROLLUPS || tm_run_is_packed(t->table)
		                  ? TM_EV_ROLLUP
		                  : tm_run_tables[t->table].kind;
		b->has = ~UINT64_C(0);
		b->some = 0;
		tm_buf_clear(&t->bytes);
		while (b->n < TM_BATCH_ROWS && t->bytes.n < STATES_BYTES &&
		       (rc = tm_run_packed_step(t)) == SQLITE_ROW) {
			tm_ev_set has;

			if (!read_row(r, t, b->n, &has))
				return t->bytes.failed || sqlite3_errcode(t->db) == SQLITE_NOMEM
				               ? no_memory(t, d)
				               : damaged(t, "a row does not fit", d);
			b->row_has[b->n++] = has;
			b->has &= has;
			b->some |= has;
		}
		if (rc != SQLITE_ROW && rc != SQLITE_DONE)
			return refused(t, "cannot be read", d);
		r->origin = &t->origin[t->at];
		if (rc == SQLITE_DONE) {
			sqlite3_reset(t->select[t->table]);
			t->open = false;
			t->table++;
		}
	}
	if (!b->n)
		return TM_ST_END;
	b->bytes = (const unsigned char *)t->bytes.p;
	r->loss.rows += b->kind == TM_EV_STATE ? 0 : b->n;
	*out = b;
	return TM_ST_OK;
}

static void run_close(struct tm_reader *r)
{
	struct run_db *t = r->priv;

	for (int k = 0; k < EXTENTS; k++)
		sqlite3_finalize(t->select[k]);
	for (size_t i = 0; i < t->ninputs; i++) {
		tm_trace_id_fini(&t->origin[i].id);
		free(t->input[i].problem);
		free(t->input[i].method);
		free(t->input[i].part);
	}
	free(t->input);
	free(t->origin);
	free(t->rank);
	free(t->store);
	tm_rollups_fini(&t->rollups);
	tm_buf_fini(&t->bytes);
}

const struct tm_reader_ops tm_reader_run_db = {
	.name = "run-db",
	.about = "runs merged by tracemerge into one SQLite database (run.db)",
	.bid = bid,
	.dialect = tm_sqlite_file_dialect,
	.priv_size = sizeof(struct run_db),
	.open = run_open,
	.next = run_next,
	.close = run_close,
};
