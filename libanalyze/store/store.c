/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include "read/sqlite/sqlite.h"
#include "store/schema.h"
#include "store/store_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE = 16384,      /* fewest CPU seconds a row, measured */
	PAGE_TOTALS = 512, /* one is taken by each table without rows */
	PAGE_MANY =
	        4096 /* of totals of many ranks, to whose size tables without rows add nothing */
};

enum { PACKED_BYTES = 1 << 20 }; /* of a frame of rollups, about, before it is packed */

bool tm_store_schema(bool totals, bool index, struct tm_buf *out)
{
	const char *all = tm_run_schema_sql, *of_totals = strstr(all, "\n-- Of totals\n"),
	           *of_events = strstr(all, "\n-- Of events\n"),
	           *indexes = strstr(all, "\n-- Indexes\n");

	tm_buf_add(out, all, (size_t)(of_totals - all));
	if (totals)
		tm_buf_add(out, of_totals, (size_t)(of_events - of_totals));
	else
		tm_buf_add(out, of_events, (size_t)(indexes - of_events));
	if (index && !totals)
		tm_buf_str(out, indexes);
	return !out->failed;
}

enum tm_status tm_store_refuse(const struct tm_store *s, struct tm_diag *d)
{
	int rc = s->db ? sqlite3_extended_errcode(s->db) : SQLITE_NOMEM, err;

	if (rc == SQLITE_NOMEM || !s->db) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	err = sqlite3_system_errno(s->db);
	if ((rc & 0xff) == SQLITE_FULL)
		tm_diag_set(d, 0, "cannot write the database: no space left on the device");
	else if ((rc & 0xff) == SQLITE_IOERR && err)
		tm_diag_set(d, 0, "cannot write the database: %s", strerror(err));
	else
		tm_diag_set(d, 0, "cannot write the database: %s", sqlite3_errmsg(s->db));
	return TM_ST_FATAL;
}

static bool prepare(struct tm_store *s, sqlite3_stmt **out, const char *sql)
{
	return sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) ==
	       SQLITE_OK;
}

/* INSERT of the columns that are there: those that are not cost as much as the others. */
static sqlite3_stmt *insert_of(struct tm_store *s, int table, tm_ev_set cols)
{
	const struct tm_run_table *t = &tm_run_tables[table];
	struct insert *in = s->insert[table];
	struct tm_buf sql = { 0 };
	size_t k = 0;

	while (k < INSERTS && in[k].st && in[k].cols != cols)
		k++;
	/* So many kinds of rows are in no trace: the last statement is used for all the others. */
	if (k == INSERTS) {
		k--;
		sqlite3_finalize(in[k].st);
		in[k].st = NULL;
	}
	if (in[k].st)
		return in[k].st;
	/* Every column in the order of the table: SQLite then makes the row where it is needed,
	 * and copies no values. */
	tm_buf_fmt(&sql, "INSERT INTO %s SELECT NULL,rank_id", t->name);
	for (const struct tm_run_column *c = t->column; c->name; c++)
		tm_buf_fmt(&sql, ",%s", cols & TM_EV_BIT(c->col) ? c->name : "NULL");
	tm_buf_fmt(&sql, " FROM feed_%s", t->name);
	in[k].cols = cols;
	if (!sql.failed)
		prepare(s, &in[k].st, sql.p);
	tm_buf_fini(&sql);
	return in[k].st;
}

static bool prepare_all(struct tm_store *s)
{
	return prepare(s, &s->input,
	               "INSERT INTO input(id,path,run,rank,rule,format,kind,bytes,own_run,events,"
	               "skipped,lost,stats_only) VALUES(?,?,?,?,?,?,?,?,?,0,0,0,0)") &&
	       prepare(s, &s->input_end,
	               "UPDATE input SET events=?,skipped=?,lost=?,stats_only=?,content=?,"
	               "problem=?,producer=? WHERE id=?") &&
	       prepare(s, &s->rank, "INSERT INTO rank(id,input,rank,pid) VALUES(?,?,?,?)") &&
	       prepare(s, &s->host, "UPDATE rank SET host=? WHERE id>?") &&
	       prepare(s, &s->loss,
	               "INSERT INTO loss(input,reason,rows,line,at_byte) VALUES(?,?,?,?,?)") &&
	       prepare(s, &s->clock,
	               "INSERT INTO clock(input,clock,readings,real_low_ns,real_high_ns,method,"
	               "offset_ns,origin_ns,rate) VALUES(?,?,?,?,?,'none',0,0,0)") &&
	       prepare(s, &s->align,
	               "UPDATE clock SET method=?,offset_ns=?,origin_ns=?,rate=?,residual_ns=? "
	               "WHERE input=?") &&
	       prepare(s, &s->clock_part, "INSERT INTO clock_part VALUES(?,?,?,?,?,?,?,?)") &&
	       prepare(s, &s->extent, "INSERT INTO extent(input,tbl,first,rows) VALUES(?,?,?,?)") &&
	       prepare(s, &s->rollup,
	               s->totals ? "INSERT INTO packed_rollup(id,input,bytes) VALUES(?,?,?)"
	                         : "INSERT INTO rollup(id,input,domain,name,counter,agent,calls,"
	                           "total_ns,total_hi,squares_0,squares_1,squares_2,min_ns,"
	                           "max_ns,sketch) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)") &&
	       prepare(s, &s->whole,
	               "INSERT INTO packed_whole(inputs,rollups,bytes) VALUES(?,?,?)") &&
	       prepare(s, &s->state,
	               "INSERT INTO state(id,input,question,bytes) VALUES(?,?,?,?)") &&
	       prepare(s, &s->name,
	               s->totals ? "INSERT INTO packed_name(first,bytes) VALUES(?,?)"
	                         : "INSERT INTO name(id,text) VALUES(?,?)") &&
	       prepare(s, &s->meta, "INSERT INTO meta(key,value) VALUES(?,?)");
}

/* SQLite keeps what a table was made by, comments and all, which is much of a small file. */
static void drop_comments(struct tm_buf *sql)
{
	size_t n = 0;
	bool comment = false;

	for (size_t i = 0; i < sql->n; i++) {
		comment = sql->p[i] != '\n' &&
		          (comment || (sql->p[i] == '-' && sql->p[i + 1] == '-'));
		if (!comment)
			sql->p[n++] = sql->p[i];
	}
	sql->p[n] = '\0';
	sql->n = n;
}

/* The schema up to the indexes. */
static bool create_tables(struct tm_store *s)
{
	struct tm_buf sql = { 0 };
	bool ok = tm_store_schema(s->totals, false, &sql);

	if (ok && s->totals)
		drop_comments(&sql);
	ok = ok && sqlite3_exec(s->db, sql.p, NULL, NULL, NULL) == SQLITE_OK;

	tm_buf_fini(&sql);
	return ok;
}

/* The header says that it is a run.db, and with version 0 that it is not finished: who is killed
 * while writing leaves a file that can be told from damage. */
static bool begin(struct tm_store *s)
{
	char mark[64];

	snprintf(mark, sizeof mark, "PRAGMA application_id=%d; BEGIN", TM_RUN_APPLICATION);
	return sqlite3_exec(s->db, mark, NULL, NULL, NULL) == SQLITE_OK && create_tables(s) &&
	       sqlite3_exec(s->db, "PRAGMA user_version=0", NULL, NULL, NULL) == SQLITE_OK;
}

static uint32_t word_at(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* All is written: then its version. */
static bool end(struct tm_store *s)
{
	char mark[64];

	snprintf(mark, sizeof mark, "PRAGMA user_version=%d", TM_RUN_VERSION);
	return sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK &&
	       sqlite3_exec(s->db, mark, NULL, NULL, NULL) == SQLITE_OK;
}

bool tm_store_has_totals(const unsigned char *p, size_t n)
{
	enum { PAGE_SIZE = 16, APPLICATION = 68, HEADER = 100 };
	int page;

	if (n < HEADER || word_at(p + APPLICATION) != TM_RUN_APPLICATION)
		return false;
	page = p[PAGE_SIZE] << 8 | p[PAGE_SIZE + 1];
	return page == PAGE_TOTALS || page == PAGE_MANY;
}

static bool set_pages(struct tm_store *s, bool many)
{
	const int page = !s->totals ? PAGE : many ? PAGE_MANY : PAGE_TOTALS;
	char sql[64];

	snprintf(sql, sizeof sql, "PRAGMA page_size=%d", page);
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* A file, whatever it is called: some builds of SQLite take "file:..." for a URI, which means
 * another file.  Out of memory leaves it closed. */
static bool open_file(struct tm_store *s, const char *path, const char *vfs)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
	                  SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
	struct tm_buf name = { 0 };
	bool ok = tm_buf_str(&name, strncmp(path, "file:", 5) ? "" : "./") &&
	          tm_buf_str(&name, path) && tm_buf_add(&name, "", 1) &&
	          sqlite3_open_v2(name.p, &s->db, flags, vfs) == SQLITE_OK;

	tm_buf_fini(&name);
	return ok;
}

struct tm_store *tm_store_create(const char *path, bool totals, bool many, struct tm_diag *d)
{
	struct tm_store *s = calloc(1, sizeof *s);
	const char *vfs = tm_sqlite_temp_vfs();

	if (!s || !vfs) {
		free(s);
		tm_diag_oom(d);
		return NULL;
	}
	for (int i = 0; i < TM_RUN_TABLES; i++) {
		s->feeds[i] = (struct feed_of) { .feed = &s->feed, .table = &tm_run_tables[i] };
		s->next[i] = 1;
	}
	s->totals = totals;
	s->next_rollup = s->next_state = 1;
	/* A crash costs the whole file anyway, so no time is spent on surviving one. */
	if (open_file(s, path, vfs) && set_pages(s, many) &&
	    sqlite3_exec(s->db,
	                 "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
	                 "PRAGMA locking_mode=EXCLUSIVE; PRAGMA auto_vacuum=NONE",
	                 NULL, NULL, NULL) == SQLITE_OK &&
	    begin(s) && tm_feed_register(s->db, s->feeds) == SQLITE_OK && prepare_all(s))
		return s;
	tm_store_refuse(s, d);
	tm_store_close(s);
	return NULL;
}

static void bind_u64(sqlite3_stmt *st, int i, uint64_t v)
{
	sqlite3_bind_int64(st, i, (sqlite3_int64)v);
}

static void bind_text(sqlite3_stmt *st, int i, const char *text)
{
	if (text)
		sqlite3_bind_text(st, i, text, -1, SQLITE_STATIC);
}

/* Run a statement that gives no rows, and make it ready for the next time. */
static bool run(sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);

	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
	return rc == SQLITE_DONE;
}

enum tm_status tm_store_input(struct tm_store *s, const struct tm_piece *p, struct tm_diag *d)
{
	memcpy(s->first, s->next, sizeof s->first);
	s->first_rollup = s->next_rollup;
	s->first_state = s->next_state;
	s->last_id = 0;
	s->first_rank = s->processes.n;
	s->rank_of_input = p->id.rank;
	bind_u64(s->input, 1, ++s->ninputs);
	bind_text(s->input, 2, p->id.path);
	bind_text(s->input, 3, p->id.run);
	bind_u64(s->input, 4, p->id.rank);
	bind_text(s->input, 5, tm_rank_rule_text(p->id.rule));
	bind_text(s->input, 6, p->id.format);
	bind_text(s->input, 7, p->id.table);
	if (p->id.bytes)
		bind_u64(s->input, 8, p->id.bytes);
	if (p->id.own_run && strcmp(p->id.own_run, p->id.run) != 0)
		bind_text(s->input, 9, p->id.own_run);
	return run(s->input) ? TM_ST_OK : tm_store_refuse(s, d);
}

/* The rank row of a process of the open input, made if new; 0 with *d when that failed. */
static uint64_t rank_row(struct tm_store *s, bool has_pid, uint64_t pid, struct tm_diag *d)
{
	const struct process p = { s->ninputs, has_pid, pid };
	uint32_t before = s->processes.n,
	         i = tm_names_add(&s->processes, (const char *)&p, sizeof p);

	if (i == TM_NAME_NONE) {
		tm_diag_oom(d);
		return 0;
	}
	s->last = p;
	s->last_id = (uint64_t)i + 1;
	if (s->processes.n == before)
		return s->last_id;
	bind_u64(s->rank, 1, s->last_id);
	bind_u64(s->rank, 2, s->ninputs);
	bind_u64(s->rank, 3, s->rank_of_input);
	if (has_pid)
		bind_u64(s->rank, 4, pid);
	if (run(s->rank))
		return s->last_id;
	tm_store_refuse(s, d);
	return 0;
}

/* rank_id of each row of a batch; false with *d. */
static bool rank_rows(struct tm_store *s, const struct tm_batch *b, uint64_t *out,
                      struct tm_diag *d)
{
	for (uint32_t i = 0; i < b->n; i++) {
		bool has = tm_batch_has(b, i, TM_EVC_PID);
		uint64_t pid = has ? b->col[TM_EVC_PID][i] : 0;

		out[i] = s->last_id && s->last.has_pid == has && s->last.pid == pid
		                 ? s->last_id
		                 : rank_row(s, has, pid, d);
		if (!out[i])
			return false;
	}
	return true;
}

/* Room for the rank ids of n blocks. */
static bool reserve_ranks(struct tm_store *s, size_t n)
{
	if (!tm_grow_array(&s->rank_id, &s->rank_id_cap, n, sizeof *s->rank_id))
		return false;
	while (s->nrank_id < n) {
		s->rank_id[s->nrank_id] = malloc(TM_BATCH_ROWS * sizeof **s->rank_id);
		if (!s->rank_id[s->nrank_id])
			return false;
		s->nrank_id++;
	}
	return true;
}

enum tm_status tm_store_add(struct tm_store *s, const struct tm_store_rows *rows, size_t n,
                            struct tm_diag *d)
{
	tm_ev_set cols = 0;

	if (!n)
		return TM_ST_OK;
	if (!reserve_ranks(s, n)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	for (size_t i = 0; i < n; i++) {
		cols |= rows[i].b.some;
		if (!rank_rows(s, &rows[i].b, s->rank_id[i], d))
			return TM_ST_FATAL;
	}
	s->feed = (struct feed) { .rows = rows,
		                  .n = n,
		                  .rank_id = (const uint64_t *const *)s->rank_id };
	for (int t = 0; t < TM_RUN_TABLES; t++) {
		sqlite3_stmt *st;

		if (tm_run_tables[t].kind != rows->b.kind)
			continue;
		st = insert_of(s, t, cols);
		if (!st || !run(st))
			return tm_store_refuse(s, d);
		s->next[t] += (uint64_t)sqlite3_changes64(s->db);
	}
	return TM_ST_OK;
}

static void bind_sums(sqlite3_stmt *st, const struct tm_rollup *r)
{
	for (int i = 0; i < 2; i++)
		bind_u64(st, 8 + i, r->total[i]);
	for (int i = 0; i < 3; i++)
		bind_u64(st, 10 + i, r->squares[i]);
	bind_u64(st, 13, r->min);
	bind_u64(st, 14, r->max);
	sqlite3_bind_blob64(st, 15, r->sketch, r->sketch_n, SQLITE_STATIC);
}

/* What is packed so far becomes a row: two numbers and it. */
static enum tm_status put_packed(struct tm_store *s, sqlite3_stmt *st, uint64_t first,
                                 uint64_t second, struct tm_diag *d)
{
	tm_buf_clear(&s->packed);
	if (!tm_rollups_pack(&s->rollups, &s->packed)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	bind_u64(st, 1, first);
	bind_u64(st, 2, second);
	sqlite3_bind_blob64(st, 3, s->packed.p, s->packed.n, SQLITE_STATIC);
	return run(st) ? TM_ST_OK : tm_store_refuse(s, d);
}

/* A row of the open input. */
static enum tm_status put_rollups(struct tm_store *s, struct tm_diag *d)
{
	return s->rollups.n ? put_packed(s, s->rollup, s->next_rollup++, s->ninputs, d) : TM_ST_OK;
}

/* A row of what all inputs add up to. */
static enum tm_status put_whole(struct tm_store *s, struct tm_diag *d)
{
	return s->rollups.n ? put_packed(s, s->whole, s->ninputs, s->next_rollup - 1, d) : TM_ST_OK;
}

/* Pack one more; what is full is put(). */
static enum tm_status pack(struct tm_store *s, const struct tm_rollup *r,
                           enum tm_status (*put)(struct tm_store *s, struct tm_diag *d),
                           struct tm_diag *d)
{
	if (!tm_rollups_add(&s->rollups, r)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	return tm_rollups_size(&s->rollups) < PACKED_BYTES ? TM_ST_OK : put(s, d);
}

enum tm_status tm_store_rollup(struct tm_store *s, const struct tm_rollup *r, struct tm_diag *d)
{
	sqlite3_stmt *st = s->rollup;

	if (s->totals)
		return pack(s, r, put_rollups, d);
	bind_u64(st, 1, s->next_rollup++);
	bind_u64(st, 2, s->ninputs);
	bind_text(st, 3, tm_domain_text(r->domain));
	if (r->name != TM_NAME_NONE)
		bind_u64(st, 4, r->name);
	if (r->counter != TM_NAME_NONE)
		bind_u64(st, 5, r->counter);
	if (r->has_agent)
		bind_u64(st, 6, r->agent);
	bind_u64(st, 7, r->calls);
	if (r->timed)
		bind_sums(st, r);
	return run(st) ? TM_ST_OK : tm_store_refuse(s, d);
}

enum tm_status tm_store_whole(struct tm_store *s, const struct tm_rollup *r, struct tm_diag *d)
{
	return pack(s, r, put_whole, d);
}

static bool add_extent(struct tm_store *s, uint64_t input, const char *table, uint64_t first,
                       uint64_t next)
{
	if (next == first)
		return true;
	bind_u64(s->extent, 1, input);
	bind_text(s->extent, 2, table);
	bind_u64(s->extent, 3, first);
	bind_u64(s->extent, 4, next - first);
	return run(s->extent);
}

static bool add_losses(struct tm_store *s, const struct tm_loss *l)
{
	for (enum tm_loss_reason i = 0; i < TM_LOSS_REASONS; i++) {
		const struct tm_lost *lost = &l->of[i];

		if (!lost->n)
			continue;
		bind_u64(s->loss, 1, s->ninputs);
		bind_text(s->loss, 2, tm_losses[i].word);
		bind_u64(s->loss, 3, lost->n);
		if (lost->at || tm_losses[i].place != TM_LOSS_LINE)
			bind_u64(s->loss, tm_loss_has_line(i) ? 4 : 5, lost->at);
		if (!run(s->loss))
			return false;
	}
	return true;
}

/* Host and clock of the open input. */
static bool add_facts(struct tm_store *s, const struct tm_piece *of)
{
	const struct tm_realtime *r = &of->id.realtime;

	bind_u64(s->clock, 1, s->ninputs);
	bind_text(s->clock, 2, of->id.clock);
	bind_u64(s->clock, 3, r->readings);
	if (r->readings) {
		bind_u64(s->clock, 4, r->low_ns);
		bind_u64(s->clock, 5, r->high_ns);
	}
	if (!run(s->clock))
		return false;
	if (!of->id.host)
		return true;
	bind_text(s->host, 1, of->id.host);
	bind_u64(s->host, 2, s->first_rank);
	return run(s->host);
}

static bool add_clock_part(struct tm_store *s, uint64_t input, size_t k,
                           const struct tm_store_clock_part *part)
{
	bind_u64(s->clock_part, 1, input);
	bind_u64(s->clock_part, 2, k + 1);
	bind_u64(s->clock_part, 3, part->from_ns);
	bind_u64(s->clock_part, 4, part->to_ns);
	bind_u64(s->clock_part, 5, part->pairs);
	if (part->pairs) {
		bind_u64(s->clock_part, 6, part->middle_ns);
		bind_u64(s->clock_part, 7, part->most_ns);
	}
	bind_u64(s->clock_part, 8, part->error_ns);
	return run(s->clock_part);
}

enum tm_status tm_store_clock(struct tm_store *s, uint64_t input, const struct tm_store_clock *c,
                              struct tm_diag *d)
{
	bool ok;

	bind_text(s->align, 1, c->method);
	bind_u64(s->align, 2, c->line.offset_ns);
	bind_u64(s->align, 3, c->line.origin_ns);
	bind_u64(s->align, 4, (uint64_t)c->line.rate);
	if (c->has_residual)
		bind_u64(s->align, 5, c->residual_ns);
	bind_u64(s->align, 6, input);
	ok = run(s->align);
	for (size_t k = 0; ok && k < c->parts; k++)
		ok = add_clock_part(s, input, k, &c->part[k]);
	return ok ? TM_ST_OK : tm_store_refuse(s, d);
}

enum tm_status tm_store_input_end(struct tm_store *s, const struct tm_store_end *e,
                                  struct tm_diag *d)
{
	const struct tm_loss *l = e->loss;
	enum tm_status st = put_rollups(s, d);
	bool ok = st == TM_ST_OK;

	if (!ok)
		return st;
	ok = add_facts(s, e->of) && add_losses(s, l) &&
	     add_extent(s, s->ninputs, s->totals ? "packed_rollup" : "rollup", s->first_rollup,
	                s->next_rollup) &&
	     add_extent(s, s->ninputs, "state", s->first_state, s->next_state);
	for (int t = 0; ok && t < TM_RUN_TABLES; t++)
		ok = add_extent(s, s->ninputs, tm_run_tables[t].name, s->first[t], s->next[t]);
	if (!ok)
		return tm_store_refuse(s, d);
	bind_u64(s->input_end, 1, e->events);
	bind_u64(s->input_end, 2, tm_loss_skipped(l));
	bind_u64(s->input_end, 3, tm_loss_lost(l));
	bind_u64(s->input_end, 4, e->stats_only);
	if (e->has_content)
		bind_u64(s->input_end, 5, e->content);
	bind_text(s->input_end, 6, e->problem);
	bind_text(s->input_end, 7, e->of->id.producer);
	bind_u64(s->input_end, 8, s->ninputs);
	s->first_state = s->next_state;
	return run(s->input_end) ? TM_ST_OK : tm_store_refuse(s, d);
}

enum tm_status tm_store_state(struct tm_store *s, uint64_t input, uint32_t question, const void *p,
                              size_t n, struct tm_diag *d)
{
	bind_u64(s->state, 1, s->next_state++);
	bind_u64(s->state, 2, input);
	bind_u64(s->state, 3, question);
	sqlite3_bind_blob64(s->state, 4, n ? p : "", n, SQLITE_STATIC);
	return run(s->state) ? TM_ST_OK : tm_store_refuse(s, d);
}

enum tm_status tm_store_states_end(struct tm_store *s, uint64_t input, struct tm_diag *d)
{
	bool ok = add_extent(s, input, "state", s->first_state, s->next_state);

	s->first_state = s->next_state;
	return ok ? TM_ST_OK : tm_store_refuse(s, d);
}

static bool put_meta(struct tm_store *s, const char *key, const char *value)
{
	bind_text(s->meta, 1, key);
	bind_text(s->meta, 2, value);
	return run(s->meta);
}

static enum tm_status put_names(struct tm_store *s, const struct tm_names *names, struct tm_diag *d)
{
	for (uint32_t i = 0; i < names->n; i++) {
		bind_u64(s->name, 1, i);
		sqlite3_bind_text64(s->name, 2, names->v[i].text, names->v[i].len, SQLITE_STATIC,
		                    SQLITE_UTF8);
		if (!run(s->name))
			return tm_store_refuse(s, d);
	}
	return TM_ST_OK;
}

static enum tm_status pack_names(struct tm_store *s, const struct tm_names *names,
                                 struct tm_diag *d)
{
	for (uint32_t i = 0, next; i < names->n; i = next) {
		tm_buf_clear(&s->packed);
		if (!tm_packed_names_put(names, i, &next, &s->packed)) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		bind_u64(s->name, 1, i);
		sqlite3_bind_blob64(s->name, 2, s->packed.p, s->packed.n, SQLITE_STATIC);
		if (!run(s->name))
			return tm_store_refuse(s, d);
	}
	return TM_ST_OK;
}

enum tm_status tm_store_finish(struct tm_store *s, const struct tm_names *names, bool index,
                               struct tm_diag *d)
{
	const char *sql = strstr(tm_run_schema_sql, "\n-- Indexes\n");
	enum tm_status st = put_whole(s, d);
	bool ok;

	if (st == TM_ST_OK)
		st = s->totals ? pack_names(s, names, d) : put_names(s, names, d);

	if (st != TM_ST_OK)
		return st;
	ok = put_meta(s, "tool", "tracemill " TRACEMILL_VERSION) &&
	     (!index || s->totals || sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK) &&
	     end(s);
	return ok ? TM_ST_OK : tm_store_refuse(s, d);
}

static void finalize_all(struct tm_store *s)
{
	sqlite3_stmt *const all[] = { s->input, s->input_end, s->rank,       s->host,   s->loss,
		                      s->clock, s->align,     s->clock_part, s->extent, s->rollup,
		                      s->name,  s->meta,      s->collective, s->state,  s->whole };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sqlite3_finalize(all[i]);
	for (int i = 0; i < TM_RUN_TABLES; i++)
		for (int k = 0; k < INSERTS; k++)
			sqlite3_finalize(s->insert[i][k].st);
}

void tm_store_close(struct tm_store *s)
{
	if (!s)
		return;
	finalize_all(s);
	sqlite3_close(s->db);
	for (size_t i = 0; i < s->nrank_id; i++)
		free(s->rank_id[i]);
	free(s->rank_id);
	tm_names_fini(&s->processes);
	tm_rollups_out_fini(&s->rollups);
	tm_buf_fini(&s->packed);
	free(s);
}

bool tm_store_is(const char *path)
{
	static const char magic[] = "SQLite format 3";
	unsigned char head[SQLITE_HEADER];
	FILE *f = fopen(path, "rbe");
	const bool all = f && fread(head, sizeof head, 1, f) == 1;

	if (f)
		fclose(f);
	return all && !memcmp(head, magic, sizeof magic) &&
	       sqlite_file_word(head + SQLITE_APPLICATION) == TM_RUN_APPLICATION;
}
