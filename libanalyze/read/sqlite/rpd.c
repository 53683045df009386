/* SPDX-License-Identifier: MIT
 * rpd: the SQLite database of rocmProfileData, schema 2 and 3, and of rocm-trace-lite, which uses
 * the same tables; what is read of them, and which words stand for what, is in schemas/rpd.def.
 *
 * Each session of the tracer counts its ids from a multiple of 2^32 and has strings of its own, so
 * texts are told apart by what they say.  Operations of a graph's replay (type Task) have no launch
 * of their own and hang on the call that launched the graph.  Agents are numbered as the runtime
 * does in operations, and by rocm-smi, from 0, in monitor rows. */
#include "base/base.h"
#include "read/rpd_words.h"
#include "read/sqlite/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

#define GRIDS                                                                                      \
	(TM_EV_BIT(TM_EVC_WG_X) | TM_EV_BIT(TM_EVC_WG_Y) | TM_EV_BIT(TM_EVC_WG_Z) |                \
	 TM_EV_BIT(TM_EVC_GRID_X) | TM_EV_BIT(TM_EVC_GRID_Y) | TM_EV_BIT(TM_EVC_GRID_Z))

enum { MAP_STRINGS, MAP_ARGS, MAPS };

enum { SLOT_TYPE, SLOT_TEXT, SLOT_CALL, SLOT_WIDTH, SLOT_HEIGHT, SLOT_DEVICE };

enum query_id { Q_op, Q_api, Q_monitor, Q_counter, QUERIES };

static const struct sq_column all_columns[] = {
#define COLUMN(query, from, names, how, column, needs, map)                                        \
	{ from, names, how, column, needs, map },
#include "schemas/rpd.def"
};

static const enum query_id all_queries[] = {
#define COLUMN(query, from, names, how, column, needs, map) Q_##query,
#include "schemas/rpd.def"
};

/* What a name is, as far as it was asked. */
struct kind_of {
	unsigned char operation, call, work_items; /* + 1; 0 = not looked at */
};

struct rpd {
	struct sq_rows rows;
	struct sq_map map[MAPS];
	struct kind_of *known; /* by name */
	size_t known_cap;
	bool lite; /* of rocm-trace-lite */
	uint64_t pid;
	bool has_pid;
	struct tm_buf text;
};

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_sqlite_file_bid(p, n);
}

/* ---- words ---- */

static unsigned counts_items(const struct tm_name *nm)
{
	static const char *const words[] = {
#define WORK_ITEMS(pattern) pattern,
#include "schemas/rpd.def"
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (nm->len == strlen(words[i]) && !memcmp(nm->text, words[i], nm->len))
			return 1;
	return 0;
}

/* What is known of a name; NULL when out of memory. */
static struct kind_of *known(struct sq_rows *q, struct rpd *t, uint64_t name)
{
	if (!tm_grow_zeroed(&t->known, &t->known_cap, (size_t)name + 1, sizeof *t->known)) {
		tm_sq_oom(q);
		return NULL;
	}
	return &t->known[name];
}

/* The text in a slot that holds the id of one: TM_ST_OK, TM_ST_SKIP when it is missing,
 * TM_ST_FATAL. */
static enum tm_status text_in(struct sq_rows *q, struct sq_part *p, unsigned slot, int map,
                              uint64_t *name)
{
	struct rpd *t = p->arg;
	uint64_t id;

	if (!tm_sq_slot_u64(p, slot, &id))
		return TM_ST_SKIP;
	return tm_sq_map_get(q, &t->map[map], id, name);
}

/* ---- what rows become ---- */

/* Grids that count workgroups into work-items; without knowing which, no grid. */
static enum tm_status scale_grid(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row)
{
	struct rpd *t = p->arg;
	struct kind_of *k;
	uint64_t call;
	enum tm_status st;

	if (!(row->has & TM_EV_BIT(TM_EVC_GRID_X)))
		return TM_ST_OK;
	st = text_in(q, p, SLOT_CALL, MAP_STRINGS, &call);
	if (st == TM_ST_FATAL)
		return st;
	k = st == TM_ST_OK ? known(q, t, call) : NULL;
	if (q->dead)
		return TM_ST_FATAL;
	if (k && !k->work_items)
		k->work_items = (unsigned char)(counts_items(&q->r->names.v[call]) + 1);
	for (int i = 0; i < 3; i++) {
		enum tm_ev_col grid = (enum tm_ev_col)(TM_EVC_GRID_X + i),
		               wg = (enum tm_ev_col)(TM_EVC_WG_X + i);
		uint64_t v;

		if (k && k->work_items == 2)
			continue;
		if (!k || !(row->has & TM_EV_BIT(wg)) || !(row->has & TM_EV_BIT(grid)) ||
		    __builtin_mul_overflow(row->v[grid], row->v[wg], &v))
			row->has &= ~TM_EV_BIT(grid);
		else
			row->v[grid] = v;
	}
	return TM_ST_OK;
}

/* The size of a copy: what the call says, of a picture its two sides, or, of rocm-trace-lite, what
 * stands after the type's name. */
static void size_copy(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row, uint64_t text,
                      bool has_text)
{
	uint64_t width, height, v;
	const struct tm_name *nm;
	const char *colon;

	if (row->has & TM_EV_BIT(TM_EVC_BYTES))
		return;
	if (tm_sq_slot_u64(p, SLOT_WIDTH, &width) && tm_sq_slot_u64(p, SLOT_HEIGHT, &height) &&
	    !__builtin_mul_overflow(width, height, &v)) {
		tm_ev_put(row, TM_EVC_BYTES, v);
	} else if (has_text && q->r->names.v[text].len) {
		nm = &q->r->names.v[text];
		colon = memchr(nm->text, ':', nm->len);
		if (colon && tm_num_u64(colon + 1, (size_t)(nm->text + nm->len - colon) - 1, &v))
			tm_ev_put(row, TM_EVC_BYTES, v);
	}
}

static enum tm_status finish_op(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                enum tm_ev_kind *kind)
{
	struct rpd *t = p->arg;
	uint64_t type = 0, text = 0;
	enum tm_status has_type = text_in(q, p, SLOT_TYPE, MAP_STRINGS, &type);
	enum tm_status has_text = text_in(q, p, SLOT_TEXT, MAP_STRINGS, &text);
	enum rpd_operation class = RPD_KERNEL;
	struct kind_of *k;

	if (has_type == TM_ST_OK) {
		const struct tm_name *nm = &q->r->names.v[type];

		k = known(q, t, type);
		if (!k)
			return TM_ST_FATAL;
		if (!k->operation)
			k->operation = (unsigned char)(tm_rpd_operation(nm->text, nm->len) + 1);
		class = (enum rpd_operation)(k->operation - 1);
	}
	if (q->dead || scale_grid(q, p, row) != TM_ST_OK)
		return TM_ST_FATAL;
	if (t->has_pid && !(row->has & TM_EV_BIT(TM_EVC_PID)))
		tm_ev_put(row, TM_EVC_PID, t->pid);
	if (class == RPD_COPY) {
		*kind = TM_EV_COPY;
		size_copy(q, p, row, text, has_text == TM_ST_OK);
		tm_ev_put(row, TM_EVC_NAME, type);
		return TM_ST_OK;
	}
	if (class == RPD_MARKER) {
		/* The host's, on no queue. */
		*kind = TM_EV_API;
		row->has &= ~(TM_EV_BIT(TM_EVC_AGENT) | TM_EV_BIT(TM_EVC_QUEUE));
		tm_ev_put(row, TM_EVC_DOMAIN, TM_DOMAIN_MARKER);
	}
	row->has &= ~TM_EV_BIT(TM_EVC_BYTES);
	if (has_text == TM_ST_OK && q->r->names.v[text].len)
		tm_ev_put(row, TM_EVC_NAME, text);
	else if (has_type == TM_ST_OK)
		tm_ev_put(row, TM_EVC_NAME, type);
	else if (!tm_sq_unnamed(q, p, &text))
		return TM_ST_FATAL;
	else
		tm_ev_put(row, TM_EVC_NAME, text);
	return TM_ST_OK;
}

static enum tm_status finish_api(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                 enum tm_ev_kind *kind)
{
	struct rpd *t = p->arg;
	uint64_t call, text;
	enum tm_status st = text_in(q, p, SLOT_CALL, MAP_STRINGS, &call);
	unsigned class = TM_DOMAIN_OTHER;
	struct kind_of *k;

	(void)kind;
	if (st == TM_ST_FATAL)
		return st;
	if (st == TM_ST_OK) {
		const struct tm_name *nm = &q->r->names.v[call];

		k = known(q, t, call);
		if (!k)
			return TM_ST_FATAL;
		if (!k->call)
			k->call = (unsigned char)(tm_rpd_call(nm->text, nm->len) + 1);
		class = k->call - 1u;
	} else if (!tm_sq_unnamed(q, p, &call)) {
		return TM_ST_FATAL;
	}
	if (class == RPD_SELF) {
		tm_loss_count(&q->r->loss, TM_LOSS_ROW_SELF, 1, p->id);
		return TM_ST_END;
	}
	tm_ev_put(row, TM_EVC_NAME, call);
	tm_ev_put(row, TM_EVC_DOMAIN, class);
	if (class == TM_DOMAIN_MARKER) {
		st = text_in(q, p, SLOT_TEXT, MAP_ARGS, &text);
		if (st == TM_ST_OK && q->r->names.v[text].len)
			tm_ev_put(row, TM_EVC_NAME, text);
	}
	return st == TM_ST_FATAL ? st : TM_ST_OK;
}

static enum tm_status finish_monitor(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                     enum tm_ev_kind *kind)
{
	const char *type;
	uint64_t device;
	size_t n;

	(void)q;
	(void)kind;
	if (!tm_sq_slot_text(p, SLOT_TYPE, &type, &n) || n != 3 ||
	    !tm_sq_slot_u64(p, SLOT_DEVICE, &device) || device > UINT32_MAX)
		return TM_ST_OK;
	if (!memcmp(type, "gpu", 3))
		tm_ev_put(row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_GPU, (uint32_t)device));
	else if (!memcmp(type, "cpu", 3))
		tm_ev_put(row, TM_EVC_AGENT, tm_agent_pack(TM_AGENT_CPU, (uint32_t)device));
	return TM_ST_OK;
}

/* ---- opening ---- */

static bool add_part(struct rpd *t, enum query_id id)
{
	static const struct {
		const char *what, *table;
		enum tm_ev_kind kind;
		sq_finish finish;
	} queries[QUERIES] = {
		[Q_op] = { "operations", "rocpd_op", TM_EV_DISPATCH, finish_op },
		[Q_api] = { "API calls", "rocpd_api", TM_EV_API, finish_api },
		[Q_monitor] = { "monitor rows", "rocpd_monitor", TM_EV_COUNTER, finish_monitor },
		[Q_counter] = { "counters", "rocpd_counter", TM_EV_COUNTER, NULL },
	};
	static const struct sq_join joins[] = {
		{ 'x', "rocpd_api_ops", "op_id", 't', "id" },
		{ 'a', "rocpd_api", "id", 'x', "api_id" },
		{ 'k', "rocpd_kernelapi", "api_ptr_id api_id", 'x', "api_id" },
		{ 'c', "rocpd_copyapi", "api_ptr_id api_id", 'x', "api_id" },
		{ 'o', "rocpd_op", "id", 't', "op_id" },
		{ .letter = 0 },
	};
	struct sq_map *maps[MAPS] = { &t->map[MAP_STRINGS], &t->map[MAP_ARGS] };
	struct sq_column columns[SQ_CELLS + 1];
	struct sq_query query = { .what = queries[id].what,
		                  .table = queries[id].table,
		                  .column = columns,
		                  .join = joins };
	struct sq_part *p;
	size_t n = 0;

	for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++)
		if (all_queries[i] == id)
			columns[n++] = all_columns[i];
	columns[n].names = NULL;
	p = tm_sq_rows_add(&t->rows, &query, queries[id].kind, maps);
	if (p) {
		p->finish = queries[id].finish;
		p->arg = t;
	}
	return !t->rows.dead;
}

/* The value of a tag of rocpd_metadata into t->text, empty when there is none. */
static bool metadata(struct rpd *t, const char *tag)
{
	struct sq_rows *q = &t->rows;
	sqlite3_stmt *st = NULL;

	tm_buf_clear(&t->text);
	if (!tm_sq_column_name(q, "rocpd_metadata", "tag") ||
	    !tm_sq_column_name(q, "rocpd_metadata", "value"))
		return !q->dead;
	if (!tm_sq_prepare(q, &st,
	                   "SELECT value FROM rocpd_metadata WHERE tag=%Q AND typeof(value)='text' "
	                   "LIMIT 1",
	                   tag))
		return false;
	if (sqlite3_step(st) == SQLITE_ROW)
		tm_buf_add(&t->text, sqlite3_column_text(st, 0),
		           (size_t)sqlite3_column_bytes(st, 0));
	if (!tm_sq_asked(q, st) || t->text.failed)
		tm_sq_oom(q);
	return !q->dead;
}

static bool know_producer(struct rpd *t)
{
	static const struct {
		const char *schema, *who;
	} versions[] = {
#define VERSION(schema, who) { schema, who },
#include "schemas/rpd.def"
	};
	struct tm_reader *r = t->rows.r;

	if (!metadata(t, "schema_version"))
		return false;
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		if (t->text.n && !strcmp(t->text.p, versions[i].schema))
			r->producer = versions[i].who;
	/* It counts launches by api_id and gives no version. */
	t->lite = !t->text.n && tm_sq_column_name(&t->rows, "rocpd_kernelapi", "api_id");
	if (!t->lite)
		return true;
	r->producer = "rocm-trace-lite";
	if (!metadata(t, "pid"))
		return false;
	t->has_pid = t->text.n && tm_num_u64(t->text.p, t->text.n, &t->pid);
	return true;
}

static bool prepare(struct rpd *t)
{
	struct sq_rows *q = &t->rows;
	const char *args = tm_sqlite_file_has(q->r->file, "rocpd_ustring") ? "rocpd_ustring"
	                                                                   : "rocpd_string";

	if (!know_producer(t) ||
	    !tm_sq_map_init(q, &t->map[MAP_STRINGS], "rocpd_string", "\"string\"", true) ||
	    !tm_sq_map_init(q, &t->map[MAP_ARGS], args, "\"string\"", true))
		return false;
	for (int i = 0; i < QUERIES; i++)
		if (!add_part(t, (enum query_id)i))
			return false;
	if (q->nparts)
		return true;
	q->dead = true;
	tm_diag_set(&q->why, 0, "not an rpd database: it has no table rocpd_op");
	return false;
}

static enum tm_status rpd_open(struct tm_reader *r, struct tm_diag *d)
{
	struct rpd *t = r->priv;
	enum tm_status st = tm_sqlite_file_open(r, d);

	if (st != TM_ST_OK)
		return st;
	tm_sq_rows_init(&t->rows, r, "rpd database");
	r->table = "profile database";
	if (!tm_sqlite_file_tables(r->file))
		tm_sq_damaged(&t->rows, "its tables cannot be listed");
	else if (prepare(t) && tm_sq_unused_end(&t->rows))
		return TM_ST_OK;
	if (d)
		*d = t->rows.why;
	return TM_ST_FATAL;
}

static enum tm_status rpd_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct rpd *t = r->priv;

	return tm_sq_rows_next(&t->rows, b, d);
}

static void rpd_close(struct tm_reader *r)
{
	struct rpd *t = r->priv;

	tm_sq_rows_fini(&t->rows);
	for (int k = 0; k < MAPS; k++)
		tm_sq_map_fini(&t->map[k]);
	free(t->known);
	tm_buf_fini(&t->text);
}

const struct tm_reader_ops tm_reader_rpd = {
	.name = "rpd",
	.about = "rpd databases of rocmProfileData and rocm-trace-lite (SQLite)",
	.bid = bid,
	.dialect = tm_sqlite_file_dialect,
	.priv_size = sizeof(struct rpd),
	.open = rpd_open,
	.next = rpd_next,
	.close = rpd_close,
};
