/* SPDX-License-Identifier: MIT */
#include "read/sqlite/sqlite_rows.h"

#include "base/base.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MISSING UINT64_MAX /* in a map: looked up, not there */

/* Text that may be fetched, in sizes of the file: once by each part, and what is looked up. */
enum { TEXT_LOOKED_UP = 8, TEXT_OF_PART = 2 };

enum tm_status tm_sq_damaged(struct sq_rows *q, const char *otherwise)
{
	q->dead = true;
	tm_sqlite_file_why(q->r->file, q->what, otherwise, &q->why);
	return TM_ST_FATAL;
}

bool tm_sq_asked(struct sq_rows *q, sqlite3_stmt *st)
{
	int rc = sqlite3_finalize(st);

	if (rc == SQLITE_NOMEM)
		tm_sq_oom(q);
	else if (rc != SQLITE_OK && !*q->later.text)
		tm_sqlite_file_why(q->r->file, q->what, "a table cannot be read", &q->later);
	return rc != SQLITE_NOMEM;
}

enum tm_status tm_sq_oom(struct sq_rows *q)
{
	q->dead = true;
	tm_diag_oom(&q->why);
	return TM_ST_FATAL;
}

/* So many sizes of the file more. */
static void allow_text(struct sq_rows *q, uint64_t times)
{
	uint64_t more;

	if (__builtin_mul_overflow(q->r->file->size, times, &more) ||
	    __builtin_add_overflow(q->text_left, more, &q->text_left))
		q->text_left = UINT64_MAX;
}

void tm_sq_rows_init(struct sq_rows *q, struct tm_reader *r, const char *what)
{
	q->r = r;
	q->what = what;
	q->db = r->file->db;
	q->unnamed = TM_NAME_NONE;
	allow_text(q, TEXT_LOOKED_UP);
	/* For all of it: many tables may share their pages. */
	tm_sqlite_file_budget(r->file, 4);
	tm_sq_unused_begin(q);
	if (r->file->beside)
		tm_loss_count(&r->loss, TM_LOSS_JOURNAL, 1, 0);
}

bool tm_sq_prepare(struct sq_rows *q, sqlite3_stmt **st, const char *fmt, ...)
{
	va_list ap;
	char *sql;
	int rc;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	rc = sql ? sqlite3_prepare_v2(q->db, sql, -1, st, NULL) : SQLITE_NOMEM;
	sqlite3_free(sql);
	if (rc == SQLITE_NOMEM)
		tm_sq_oom(q);
	else if (rc != SQLITE_OK)
		tm_sq_damaged(q, "a table cannot be read");
	return rc == SQLITE_OK;
}

/* ---- texts ---- */

bool tm_sq_spend(struct sq_rows *q, size_t n)
{
	if (n <= q->text_left) {
		q->text_left -= n;
		return true;
	}
	q->dead = true;
	tm_diag_set(&q->why, 0, "damaged or not a %s: more text than the file has bytes", q->what);
	return false;
}

bool tm_sq_name(struct sq_rows *q, const char *p, size_t n, uint64_t *id)
{
	uint32_t name;

	if (!tm_sq_spend(q, n))
		return false;
	name = tm_names_add(&q->r->names, p ? p : "", n);
	if (name == TM_NAME_NONE)
		tm_sq_oom(q);
	*id = name;
	return name != TM_NAME_NONE;
}

bool tm_sq_unnamed(struct sq_rows *q, const struct sq_part *p, uint64_t *id)
{
	static const char text[] = "(unnamed)";

	tm_loss_count(p->loss, TM_LOSS_ROW_UNNAMED, 1, p->id);
	if (q->unnamed == TM_NAME_NONE)
		q->unnamed = tm_names_add(&q->r->names, text, sizeof text - 1);
	if (q->unnamed == TM_NAME_NONE)
		tm_sq_oom(q);
	*id = q->unnamed;
	return !q->dead;
}

/* ---- the shape of a table ---- */

/* Read PRAGMA table_info of a table: it names no generated columns, which would run somebody's SQL.
 */
static bool read_shape(struct sq_rows *q, const char *table, struct sq_shape *shape)
{
	sqlite3_stmt *st = NULL;
	size_t cap = 0;
	int rc = SQLITE_OK;

	if (!tm_sq_prepare(q, &st, "PRAGMA table_info(\"%w\")", table))
		return false;
	while (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 1);
		const char *type = (const char *)sqlite3_column_text(st, 2);

		rc = SQLITE_OK;
		if (!name)
			continue;
		if (!tm_grow_array(&shape->column, &cap, shape->n + 1, sizeof *shape->column) ||
		    !(shape->column[shape->n] = strdup(name))) {
			rc = SQLITE_NOMEM;
			break;
		}
		shape->n++;
		shape->key |= !strcasecmp(name, "id") && type && !strcasecmp(type, "INTEGER") &&
		              sqlite3_column_int(st, 5) == 1;
	}
	sqlite3_finalize(st);
	if (rc == SQLITE_NOMEM)
		tm_sq_oom(q);
	else if (rc != SQLITE_DONE)
		tm_sq_damaged(q, "a table cannot be read");
	shape->known = rc == SQLITE_DONE;
	return shape->known;
}

/* The columns of a table; NULL when there is none of that name, or with q->dead. */
static const struct sq_shape *shape_of(struct sq_rows *q, const char *table)
{
	size_t i = tm_sqlite_file_find(q->r->file, table);

	if (i == SIZE_MAX || q->dead)
		return NULL;
	if (!q->shape)
		q->shape = calloc(q->r->file->ntables, sizeof *q->shape);
	if (!q->shape) {
		tm_sq_oom(q);
		return NULL;
	}
	if (!q->shape[i].known && !read_shape(q, table, &q->shape[i]))
		return NULL;
	return &q->shape[i];
}

const char *tm_sq_column_name(struct sq_rows *q, const char *table, const char *names)
{
	const struct sq_shape *shape = shape_of(q, table);

	for (const char *p = names; shape && *p;) {
		size_t n = strcspn(p, " ");

		for (size_t i = 0; i < shape->n; i++)
			if (strlen(shape->column[i]) == n && !strncasecmp(p, shape->column[i], n))
				return shape->column[i];
		p += n;
		p += strspn(p, " ");
	}
	return NULL;
}

const struct sq_shape *tm_sq_shape_of(struct sq_rows *q, const char *table)
{
	return shape_of(q, table);
}

/* Is there a column `id` by which rows are found and sorted? */
static bool has_key(struct sq_rows *q, const char *table)
{
	const struct sq_shape *shape = shape_of(q, table);

	return shape && shape->key;
}

/* ---- maps ---- */

bool tm_sq_map_init(struct sq_rows *q, struct sq_map *m, const char *table, const char *value,
                    bool text)
{
	*m = (struct sq_map) { .text = text, .hash = tm_hash_own() };
	if (q->dead || !has_key(q, table))
		return !q->dead;
	return tm_sq_prepare(q, &m->find, "SELECT %s FROM \"%w\" WHERE id=?1", value, table);
}

void tm_sq_map_fini(struct sq_map *m)
{
	sqlite3_finalize(m->find);
	free(m->key);
	free(m->value);
	*m = (struct sq_map) { 0 };
}

static size_t place_of(const struct sq_map *m, uint64_t key)
{
	return (size_t)tm_hash_word(m->hash, key) & (m->cap - 1);
}

/* A slot is free when its value is 0: values are kept plus one, MISSING as it is. */
static bool map_put(struct sq_map *m, uint64_t key, uint64_t kept)
{
	size_t i;

	if (2 * m->n >= m->cap) {
		struct sq_map old = *m;

		m->cap = old.cap ? 2 * old.cap : 64;
		m->key = calloc(m->cap, sizeof *m->key);
		m->value = calloc(m->cap, sizeof *m->value);
		if (!m->key || !m->value) {
			free(m->key);
			free(m->value);
			m->key = old.key;
			m->value = old.value;
			m->cap = old.cap;
			return false;
		}
		m->n = 0;
		for (i = 0; i < old.cap; i++)
			if (old.value[i])
				map_put(m, old.key[i], old.value[i]);
		free(old.key);
		free(old.value);
	}
	i = place_of(m, key);
	while (m->value[i])
		i = (i + 1) & (m->cap - 1);
	m->key[i] = key;
	m->value[i] = kept;
	m->n++;
	return true;
}

static enum tm_status look_up(struct sq_rows *q, struct sq_map *m, uint64_t id, uint64_t *kept)
{
	sqlite3_int64 number;
	int rc, type;

	*kept = MISSING;
	if (!m->find)
		return TM_ST_OK;
	sqlite3_bind_int64(m->find, 1, (sqlite3_int64)id);
	rc = sqlite3_step(m->find);
	type = rc == SQLITE_ROW ? sqlite3_column_type(m->find, 0) : SQLITE_NULL;
	if (type == SQLITE_TEXT && m->text) {
		const char *text = (const char *)sqlite3_column_text(m->find, 0);

		if (!text)
			tm_sq_oom(q);
		else if (tm_sq_name(q, text, (size_t)sqlite3_column_bytes(m->find, 0), kept))
			++*kept;
	} else if (type == SQLITE_INTEGER && !m->text) {
		number = sqlite3_column_int64(m->find, 0);
		if (number >= 0)
			*kept = (uint64_t)number + 1;
	} else if (rc == SQLITE_NOMEM) {
		tm_sq_oom(q);
	} else if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
		tm_sq_damaged(q, "a table cannot be read");
	}
	sqlite3_reset(m->find);
	return q->dead ? TM_ST_FATAL : TM_ST_OK;
}

enum tm_status tm_sq_map_get(struct sq_rows *q, struct sq_map *m, uint64_t id, uint64_t *v)
{
	uint64_t kept = 0;

	if (m->has_last && m->last_key == id) {
		kept = m->last_value;
	} else {
		size_t i = m->cap ? place_of(m, id) : 0;

		while (m->cap && m->value[i] && m->key[i] != id)
			i = (i + 1) & (m->cap - 1);
		if (m->cap)
			kept = m->value[i];
	}
	if (!kept) {
		if (look_up(q, m, id, &kept) != TM_ST_OK)
			return TM_ST_FATAL;
		if (!map_put(m, id, kept))
			return tm_sq_oom(q);
	}
	m->has_last = true;
	m->last_key = id;
	m->last_value = kept;
	*v = kept - 1;
	return kept == MISSING ? TM_ST_SKIP : TM_ST_OK;
}

/* ---- queries ---- */

static const struct sq_join *join_of(const struct sq_query *query, char letter)
{
	for (const struct sq_join *j = query->join; j && j->letter; j++)
		if (j->letter == letter)
			return j;
	return NULL;
}

static const char *table_of(const struct sq_query *query, char letter)
{
	const struct sq_join *j = letter == 't' ? NULL : join_of(query, letter);

	return letter == 't' ? query->table : j ? j->table : NULL;
}

/* Can that table be joined? */
static bool joins(struct sq_rows *q, const struct sq_query *query, char letter)
{
	const struct sq_join *j;
	const char *with;

	if (letter == 't')
		return true;
	j = join_of(query, letter);
	with = j ? table_of(query, j->with) : NULL;
	return j && j->table && with && joins(q, query, j->with) &&
	       tm_sq_column_name(q, j->table, j->key) && tm_sq_column_name(q, with, j->column);
}

static bool is_wanted(const struct sq_rows *q, const struct sq_column *c)
{
	if (c->how == SQ_TIME || c->needs == TM_EV_ALL)
		return true;
	return (q->r->want & (c->needs ? c->needs : TM_EV_BIT(c->col))) != 0;
}

/* ,x."name" for each wanted column that is there; which letters they need in *used. */
static bool add_columns(struct sq_rows *q, const struct sq_query *query, struct sq_part *p,
                        struct sq_map *const *maps, struct tm_buf *sql, uint32_t *used)
{
	for (const struct sq_column *c = query->column; c->names; c++) {
		const char *table = table_of(query, c->from), *name = NULL;
		bool raw = *c->names == '=';

		if (!is_wanted(q, c) || !table || p->ncells == SQ_CELLS ||
		    !joins(q, query, c->from))
			continue;
		if (!raw)
			name = tm_sq_column_name(q, table, c->names);
		if (!raw && !name) {
			if (c->how != SQ_TIME || q->dead)
				continue;
			q->dead = true;
			tm_diag_set(&q->why, 0,
			            "damaged or not a %s: table %.100s has no column %s", q->what,
			            table, c->names);
			break;
		}
		if (raw)
			tm_buf_fmt(sql, ",%s", c->names + 1);
		else
			tm_buf_fmt(sql, ",%c.\"%s\"", c->from, name);
		*used |= 1u << (c->from - 'a');
		if (c->how == SQ_SLOT)
			p->slot[c->col] = p->ncells + 1;
		p->cell[p->ncells++] = (struct sq_cell) {
			.how = c->how,
			.col = c->col,
			.map = c->how == SQ_NAMED || c->how == SQ_MAPPED ? maps[c->map] : NULL,
		};
	}
	return !q->dead;
}

/* The joins that are used, and those they go through. */
static void add_joins(struct sq_rows *q, const struct sq_query *query, struct tm_buf *sql,
                      uint32_t used)
{
	size_t n = 0;

	for (const struct sq_join *j = query->join; j && j->letter; j++)
		n++;
	for (size_t i = n; i-- > 0;)
		if (used & 1u << (query->join[i].letter - 'a'))
			used |= 1u << (query->join[i].with - 'a');
	for (size_t i = 0; i < n; i++) {
		const struct sq_join *j = &query->join[i];
		const char *key, *with;

		if (!(used & 1u << (j->letter - 'a')))
			continue;
		key = tm_sq_column_name(q, j->table, j->key);
		with = tm_sq_column_name(q, table_of(query, j->with), j->column);
		if (key && with)
			tm_buf_fmt(sql, " LEFT JOIN \"%s\" %c ON %c.\"%s\"=%c.\"%s\"", j->table,
			           j->letter, j->letter, key, j->with, with);
	}
}

static bool build(struct sq_rows *q, const struct sq_query *query, struct sq_part *p,
                  struct sq_map *const *maps)
{
	struct tm_buf sql = { 0 }, columns = { 0 };
	uint32_t used = 0;
	bool ok;

	for (unsigned i = 0; i < SQ_SLOTS; i++)
		p->slot[i] = -1;
	p->grouped = query->group != NULL;
	ok = add_columns(q, query, p, maps, &columns, &used);
	/* What is grouped by may be in a joined table, of which nothing else is wanted. */
	for (const char *g = query->group; g && *g; g++)
		if (g[1] == '.' && *g >= 'a' && *g <= 'z')
			used |= 1u << (*g - 'a');
	/* Names of tables come from the file: a quote in one would end it. */
	if (ok && strchr(query->table, '"')) {
		q->dead = true;
		tm_diag_set(&q->why, 0, "damaged or not a %s: a table with an invalid name",
		            q->what);
		ok = false;
	}
	tm_buf_fmt(&sql, "SELECT %s%s FROM \"%s\" t NOT INDEXED",
	           p->grouped                 ? "min(t.rowid)"
	           : has_key(q, query->table) ? "t.id"
	                                      : "t.rowid",
	           columns.p ? columns.p : "", query->table);
	if (ok)
		add_joins(q, query, &sql, used);
	if (query->where)
		tm_buf_fmt(&sql, " WHERE %s", query->where);
	if (query->group)
		tm_buf_fmt(&sql, " GROUP BY %s", query->group);
	if (sql.failed || columns.failed)
		tm_sq_oom(q);
	else if (ok && !q->dead)
		tm_sq_prepare(q, &p->select, "%s", sql.p);
	tm_buf_fini(&sql);
	tm_buf_fini(&columns);
	return !q->dead;
}

struct sq_part *tm_sq_rows_add(struct sq_rows *q, const struct sq_query *query,
                               enum tm_ev_kind kind, struct sq_map *const *maps)
{
	struct sq_part *p;

	if (q->dead || !query->table || !tm_sqlite_file_has(q->r->file, query->table))
		return NULL;
	if (!tm_grow_array(&q->part, &q->parts_cap, q->nparts + 1, sizeof *q->part)) {
		tm_sq_oom(q);
		return NULL;
	}
	p = &q->part[q->nparts++];
	*p = (struct sq_part) { .kind = kind, .loss = &q->r->loss };
	allow_text(q, TEXT_OF_PART);
	return build(q, query, p, maps) ? p : NULL;
}

/* ---- cells ---- */

bool tm_sq_slot_u64(const struct sq_part *p, unsigned slot, uint64_t *v)
{
	int i = p->slot[slot];

	if (i < 0 || sqlite3_column_type(p->select, i) != SQLITE_INTEGER)
		return false;
	*v = (uint64_t)sqlite3_column_int64(p->select, i);
	return true;
}

bool tm_sq_slot_text(const struct sq_part *p, unsigned slot, const char **text, size_t *n)
{
	int i = p->slot[slot];

	if (i < 0 || sqlite3_column_type(p->select, i) != SQLITE_TEXT)
		return false;
	*text = (const char *)sqlite3_column_text(p->select, i);
	*n = (size_t)sqlite3_column_bytes(p->select, i);
	return *text != NULL;
}

/* TM_ST_OK with *v; TM_ST_END: absent; TM_ST_SKIP: no number.  The value is looked for once, not
 * for its type and again: of a connection without mutexes (SQLITE_OPEN_NOMUTEX) all are protected.
 */
static enum tm_status number_of(sqlite3_stmt *st, int i, uint64_t *v)
{
	sqlite3_value *cell = sqlite3_column_value(st, i);
	sqlite3_int64 number;
	const char *text;
	size_t n;
	double real;

	switch (sqlite3_value_type(cell)) {
	case SQLITE_NULL:
		return TM_ST_END;
	case SQLITE_INTEGER:
		number = sqlite3_value_int64(cell);
		*v = (uint64_t)number;
		return number < 0 ? TM_ST_END : TM_ST_OK;
	case SQLITE_FLOAT:
		real = sqlite3_column_double(st, i);
		if (!(real >= 0 && real < 18446744073709551616.0) || real != floor(real))
			return TM_ST_SKIP;
		*v = (uint64_t)real;
		return TM_ST_OK;
	case SQLITE_TEXT:
		text = (const char *)sqlite3_column_text(st, i);
		n = (size_t)sqlite3_column_bytes(st, i);
		if (!text || !n || (n == 4 && !memcmp(text, "None", 4)))
			return TM_ST_END;
		return tm_num_u64_any(text, n, v) ? TM_ST_OK : TM_ST_SKIP;
	default:
		return TM_ST_SKIP;
	}
}

static enum tm_status real_of(sqlite3_stmt *st, int i, uint64_t *v)
{
	int type = sqlite3_column_type(st, i);
	const char *text;
	size_t n;
	double real;

	if (type == SQLITE_NULL)
		return TM_ST_END;
	if (type == SQLITE_BLOB)
		return TM_ST_SKIP;
	real = sqlite3_column_double(st, i);
	if (type == SQLITE_TEXT) {
		text = (const char *)sqlite3_column_text(st, i);
		n = (size_t)sqlite3_column_bytes(st, i);
		if (!text || !n || (n == 4 && !memcmp(text, "None", 4)))
			return TM_ST_END;
		if (!tm_num_real(text, n, &real))
			return TM_ST_SKIP;
	}
	*v = tm_real_bits(real);
	return isfinite(real) ? TM_ST_OK : TM_ST_SKIP;
}

static enum tm_status text_of(struct sq_rows *q, struct sq_part *p, int i, bool quoted, uint64_t *v)
{
	const char *text;
	size_t n;

	if (sqlite3_column_type(p->select, i) == SQLITE_NULL)
		return TM_ST_END;
	if (sqlite3_column_type(p->select, i) == SQLITE_BLOB)
		return TM_ST_SKIP;
	text = (const char *)sqlite3_column_text(p->select, i);
	n = (size_t)sqlite3_column_bytes(p->select, i);
	if (!text)
		return tm_sq_oom(q);
	if (quoted && n >= 2 && text[0] == '"' && text[n - 1] == '"') {
		text++;
		n -= 2;
	}
	return tm_sq_name(q, text, n, v) ? TM_ST_OK : TM_ST_FATAL;
}

/* Look an id up; a number that is not there is absent, a name is one all the same. */
static enum tm_status mapped(struct sq_rows *q, struct sq_part *p, int i, const struct sq_cell *c,
                             uint64_t *v)
{
	uint64_t id;
	enum tm_status st = number_of(p->select, i, &id);

	if (st != TM_ST_OK)
		return st;
	st = tm_sq_map_get(q, c->map, id, v);
	if (st != TM_ST_SKIP)
		return st;
	if (c->how == SQ_MAPPED)
		return TM_ST_END;
	return tm_sq_unnamed(q, p, v) ? TM_ST_OK : TM_ST_FATAL;
}

/* Cell i: TM_ST_OK with *v, TM_ST_END absent, TM_ST_SKIP not what its column holds, TM_ST_FATAL. */
static enum tm_status cell_of(struct sq_rows *q, struct sq_part *p, int i, uint64_t *v)
{
	const struct sq_cell *c = &p->cell[i];
	enum tm_status st;

	switch (c->how) {
	case SQ_TIME:
		st = number_of(p->select, i + 1, v);
		return st == TM_ST_END ? TM_ST_SKIP : st;
	case SQ_BITS:
		if (sqlite3_column_type(p->select, i + 1) == SQLITE_INTEGER) {
			*v = (uint64_t)sqlite3_column_int64(p->select, i + 1);
			return TM_ST_OK;
		}
		return number_of(p->select, i + 1, v);
	case SQ_NUMBER:
		return number_of(p->select, i + 1, v);
	case SQ_REAL:
		return real_of(p->select, i + 1, v);
	case SQ_AGENT:
		st = number_of(p->select, i + 1, v);
		if (st == TM_ST_OK && *v > UINT32_MAX)
			return TM_ST_SKIP;
		*v = st == TM_ST_OK ? tm_agent_pack(TM_AGENT_NODE, (uint32_t)*v) : 0;
		return st;
	case SQ_TEXT:
	case SQ_QUOTED:
		return text_of(q, p, i + 1, c->how == SQ_QUOTED, v);
	case SQ_NAMED:
	case SQ_MAPPED:
		return mapped(q, p, i + 1, c, v);
	case SQ_SLOT:
		return TM_ST_END;
	}
	return TM_ST_END;
}

/* The row the statement stands on; statuses of sq_finish. */
static enum tm_status row_of(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                             enum tm_ev_kind *kind)
{
	const tm_ev_set span = TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END);

	row->has = 0;
	*kind = p->kind;
	for (int i = 0; i < p->ncells; i++) {
		enum tm_ev_col c = p->cell[i].col;
		enum tm_status st;
		uint64_t v;

		if (p->cell[i].how == SQ_SLOT)
			continue;
		st = cell_of(q, p, i, &v);
		if (st == TM_ST_OK)
			tm_ev_put(row, c, v);
		else if (st != TM_ST_END)
			return st;
	}
	for (int i = 0; i < p->nfixed; i++)
		tm_ev_put(row, p->fixed[i].col, p->fixed[i].value);
	if (p->finish) {
		enum tm_status st = p->finish(q, p, row, kind);

		if (st != TM_ST_OK)
			return st;
	}
	if ((row->has & span) == span && row->v[TM_EVC_END] < row->v[TM_EVC_START]) {
		tm_loss_count(p->loss, TM_LOSS_ROW_REVERSED, 1, p->id);
		return TM_ST_END;
	}
	return TM_ST_OK;
}

/* ---- reading ---- */

/* The id of the row the statement stands on.  TM_ST_OK; TM_ST_END: the row before again, by way of
 * a join; TM_ST_FATAL. */
static enum tm_status take_id(struct sq_rows *q, struct sq_part *p)
{
	uint64_t id = (uint64_t)sqlite3_column_int64(p->select, 0) ^ UINT64_C(1) << 63;

	if (p->grouped) {
		p->id = id ^ UINT64_C(1) << 63;
		return TM_ST_OK;
	}
	if (q->any && id == (p->id ^ UINT64_C(1) << 63))
		return TM_ST_END;
	if (q->any && id < (p->id ^ UINT64_C(1) << 63))
		return tm_sq_damaged(q, "the rows of a table are not in order");
	q->any = true;
	p->id = id ^ UINT64_C(1) << 63;
	return TM_ST_OK;
}

/* The next row of the open part into its batch: TM_ST_OK, also when it was left out, with *full
 * when a batch is; TM_ST_END; TM_ST_FATAL. */
static enum tm_status step(struct sq_rows *q, struct sq_part *p, struct tm_ev_rows **full)
{
	struct tm_ev_row row;
	enum tm_ev_kind kind;
	enum tm_status st;
	int rc = sqlite3_step(p->select);

	*full = NULL;
	if (rc == SQLITE_DONE)
		return TM_ST_END;
	if (rc == SQLITE_NOMEM)
		return tm_sq_oom(q);
	if (rc != SQLITE_ROW)
		return tm_sq_damaged(q, "cannot be read");
	st = take_id(q, p);
	if (st != TM_ST_OK)
		return st == TM_ST_END ? TM_ST_OK : st;
	st = row_of(q, p, &row, &kind);
	if (st == TM_ST_SKIP)
		tm_loss_count(p->loss, TM_LOSS_ROW_MISFIT, 1, p->id);
	if (st != TM_ST_OK)
		return st == TM_ST_FATAL ? st : TM_ST_OK;
	if (!tm_ev_rows_add(&q->out[kind], &row))
		return tm_sq_oom(q);
	q->out[kind].b.kind = kind;
	p->loss->rows++;
	if (tm_ev_rows_n(&q->out[kind]) == TM_BATCH_ROWS)
		*full = &q->out[kind];
	return TM_ST_OK;
}

/* Read the part at hand until a batch is full, or to its end: then, or when something broke, what
 * there is of batches is to be flushed, for they hold rows of one part only. */
static struct tm_ev_rows *read_part(struct sq_rows *q)
{
	struct sq_part *p = &q->part[q->at];
	struct tm_ev_rows *full = NULL;
	enum tm_status st = TM_ST_OK;

	if (!q->open) {
		q->open = true;
		q->any = false;
	}
	while (st == TM_ST_OK && !full)
		st = step(q, p, &full);
	if (st == TM_ST_OK)
		return full;
	sqlite3_finalize(p->select);
	p->select = NULL;
	q->open = false;
	q->at++;
	q->flush = true;
	return NULL;
}

enum tm_status tm_sq_rows_next(struct sq_rows *q, const struct tm_batch **b, struct tm_diag *d)
{
	for (;;) {
		struct tm_ev_rows *rows = NULL;

		for (int k = 0; q->flush && !rows && k < TM_EV_NKINDS; k++)
			if (tm_ev_rows_n(&q->out[k]))
				rows = &q->out[k];
		if (!rows) {
			q->flush = false;
			if (q->dead || q->at == q->nparts)
				break;
			rows = read_part(q);
		}
		if (rows) {
			q->given = q->flush ? q->at - 1 : q->at;
			*b = tm_ev_rows_take(rows, &q->r->names);
			return TM_ST_OK;
		}
	}
	if (!q->dead && !*q->later.text)
		return TM_ST_END;
	if (d)
		*d = q->dead ? q->why : q->later;
	return TM_ST_FATAL;
}

void tm_sq_rows_fini(struct sq_rows *q)
{
	for (size_t i = 0; i < q->nparts; i++)
		sqlite3_finalize(q->part[i].select);
	if (q->seen.n)
		sqlite3_set_authorizer(q->db, NULL, NULL);
	tm_names_fini(&q->seen);
	free(q->part);
	for (size_t i = 0; q->shape && i < q->r->file->ntables; i++) {
		for (size_t k = 0; k < q->shape[i].n; k++)
			free(q->shape[i].column[k]);
		free(q->shape[i].column);
	}
	free(q->shape);
	for (int k = 0; k < TM_EV_NKINDS; k++)
		tm_ev_rows_fini(&q->out[k]);
}
