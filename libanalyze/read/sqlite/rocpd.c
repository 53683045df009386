/* SPDX-License-Identifier: MIT
 * rocpd: the SQLite database of rocprofv3 (since ROCm 7.0) and rocprof-sys, schema 3.0.0 to 3.0.5;
 * what is read of it, version by version, is in schemas/rocpd.def.
 *
 * The tables of a process have the process's id in their names, and a merged file holds those of
 * several processes.  Read are these tables, not the views in front of them: the view of kernels
 * leaves out a dispatch whose queue, thread, string or event is missing, without a word.  Ids count
 * within a process. Counters come one value for each instance of the hardware and are added up. */
#include "read/json/json.h"
#include "read/sqlite/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

enum table_id {
#define TABLE(name) TABLE_##name,
#include "schemas/rocpd.def"
	TABLES,
};

static const char *const table_words[TABLES] = {
#define TABLE(name) "rocpd_" #name,
#include "schemas/rocpd.def"
};

enum { MAP_STRINGS, MAP_KERNELS, MAP_AGENTS, MAP_PIDS, MAP_TIDS, MAPS };

enum {
	SLOT_LEVEL,
	SLOT_TYPE,
	SLOT_CATEGORY,
	SLOT_EVENT,
	SLOT_COUNTER,
	SLOT_STREAMED,
	SLOT_DISPATCHES,
	SLOT_START,
	SLOT_END,
	SLOT_MOMENT,
	SLOT_SPM,
	SLOT_EXTDATA,
};

enum query_id {
	Q_dispatch,
	Q_copy,
	Q_alloc,
	Q_region,
	Q_sample,
	Q_counter,
	Q_graph,
	Q_agent,
	QUERIES
};

/* All columns, and which query each is of. */
static const struct sq_column all_columns[] = {
#define COLUMN(query, from, names, how, column, needs, map)                                        \
	{ from, names, how, column, needs, map },
#include "schemas/rocpd.def"
};

static const enum query_id all_queries[] = {
#define COLUMN(query, from, names, how, column, needs, map) Q_##query,
#include "schemas/rocpd.def"
};

/* What one process left. */
struct run {
	char *table[TABLES];
	struct sq_map map[MAPS];
	sqlite3_stmt *message; /* extdata of an event */
	uint32_t guid;         /* name */
	const char *producer;
	char *host, *path;
	size_t index;
	uint64_t rank;
	bool has_rank, odd; /* odd: its processes do not agree about that */
	struct rocpd *owner;
};

struct rocpd {
	struct sq_rows rows;
	struct run **run;
	size_t nruns, runs_cap;
	bool added;               /* what was lost of each of them is counted together */
	uint32_t *guid;           /* of the runs that have one */
	struct tm_origin *origin; /* of the runs, where they have ranks of their own */
	unsigned char *domain;    /* + 1, of names that are categories; 0 = not looked at */
	size_t domains_cap;
	struct tm_buf text, json;
	uint32_t graph; /* name of a launch of a graph */
};

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_sqlite_file_bid(p, n);
}

/* ---- what rows become ---- */

/* The domain of a category. */
static enum tm_status domain_of(struct sq_rows *q, struct rocpd *t, uint64_t name, uint64_t *domain)
{
	static const struct {
		const char *text;
		enum tm_domain domain;
	} words[] = {
#define CATEGORY(text, domain) { text, domain },
#include "schemas/rocpd.def"
	};
	const struct tm_name *nm = &q->r->names.v[name];
	enum tm_domain found;

	if (!tm_grow_zeroed(&t->domain, &t->domains_cap, (size_t)name + 1, sizeof *t->domain))
		return tm_sq_oom(q);
	if (!t->domain[name]) {
		found = tm_domain_of_producer(nm->text, nm->len);
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].text) == nm->len &&
			    !memcmp(words[i].text, nm->text, nm->len))
				found = words[i].domain;
		t->domain[name] = (unsigned char)(found + 1);
	}
	*domain = t->domain[name] - 1u;
	return TM_ST_OK;
}

/* A marker's own text, where its event has one. */
static enum tm_status message_of(struct sq_rows *q, struct run *run, uint64_t event,
                                 struct tm_ev_row *row)
{
	struct tm_buf *b = &run->owner->text, *copy = &run->owner->json;
	struct json_item v;
	const char *json, *text;
	size_t n;
	int rc;

	if (!run->message)
		return TM_ST_OK;
	sqlite3_bind_int64(run->message, 1, (sqlite3_int64)event);
	rc = sqlite3_step(run->message);
	if (rc == SQLITE_ROW && sqlite3_column_type(run->message, 0) == SQLITE_TEXT) {
		json = (const char *)sqlite3_column_text(run->message, 0);
		n = (size_t)sqlite3_column_bytes(run->message, 0);
		/* Any number of regions may point at one event with a long text. */
		if (json && !tm_sq_spend(q, n)) {
			sqlite3_reset(run->message);
			return TM_ST_FATAL;
		}
		if (json && tm_json_find(json, n, "message", copy, &v) && v.kind == JSON_STRING &&
		    v.n && tm_json_text(&v, b, &text, &n)) {
			tm_sq_name(q, text, n, &row->v[TM_EVC_NAME]);
			row->has |= TM_EV_BIT(TM_EVC_NAME);
		} else if (!json || b->failed || copy->failed) {
			tm_sq_oom(q);
		}
	} else if (rc == SQLITE_NOMEM) {
		tm_sq_oom(q);
	} else if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
		tm_sq_damaged(q, "an event cannot be read");
	}
	sqlite3_reset(run->message);
	return q->dead ? TM_ST_FATAL : TM_ST_OK;
}

static enum tm_status named(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row)
{
	uint64_t name;

	if (!(q->r->want & TM_EV_BIT(TM_EVC_NAME)) || row->has & TM_EV_BIT(TM_EVC_NAME))
		return TM_ST_OK;
	if (!tm_sq_unnamed(q, p, &name))
		return TM_ST_FATAL;
	tm_ev_put(row, TM_EVC_NAME, name);
	return TM_ST_OK;
}

static enum tm_status finish_plain(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                   enum tm_ev_kind *kind)
{
	(void)kind;
	return named(q, p, row);
}

static enum tm_status finish_region(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                    enum tm_ev_kind *kind)
{
	struct run *run = p->arg;
	uint64_t category, event, name, domain = TM_DOMAIN_OTHER;
	enum tm_status st = TM_ST_OK;

	(void)kind;
	if (tm_sq_slot_u64(p, SLOT_CATEGORY, &category)) {
		st = tm_sq_map_get(q, &run->map[MAP_STRINGS], category, &name);
		if (st == TM_ST_OK)
			st = domain_of(q, run->owner, name, &domain);
		if (st == TM_ST_FATAL)
			return st;
	}
	tm_ev_put(row, TM_EVC_DOMAIN, domain);
	if (domain == TM_DOMAIN_MARKER && tm_sq_slot_u64(p, SLOT_EVENT, &event) &&
	    message_of(q, run, event, row) != TM_ST_OK)
		return TM_ST_FATAL;
	return named(q, p, row);
}

/* A sample of a counter is read with the counters. */
static enum tm_status finish_sample(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                    enum tm_ev_kind *kind)
{
	uint64_t counter;
	enum tm_status st = finish_region(q, p, row, kind);

	if (st == TM_ST_OK && row->v[TM_EVC_DOMAIN] == TM_DOMAIN_OTHER &&
	    (tm_sq_slot_u64(p, SLOT_COUNTER, &counter) ||
	     tm_sq_slot_u64(p, SLOT_STREAMED, &counter)))
		return TM_ST_END;
	return st;
}

static enum tm_status finish_alloc(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                   enum tm_ev_kind *kind)
{
	static const struct {
		const char *level, *type, *name;
		enum tm_domain domain;
	} words[] = {
#define ALLOCATION(level, type, name, domain) { level, type, name, domain },
#include "schemas/rocpd.def"
	};
	const char *level = "", *type = "";
	size_t nlevel = 0, ntype = 0;
	uint64_t name;

	(void)kind;
	tm_sq_slot_text(p, SLOT_LEVEL, &level, &nlevel);
	tm_sq_slot_text(p, SLOT_TYPE, &type, &ntype);
	tm_ev_put(row, TM_EVC_DOMAIN, TM_DOMAIN_ALLOC);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strlen(words[i].level) != nlevel ||
		    memcmp(words[i].level, level, nlevel) != 0 || strlen(words[i].type) != ntype ||
		    memcmp(words[i].type, type, ntype) != 0)
			continue;
		if (!tm_sq_name(q, words[i].name, strlen(words[i].name), &name))
			return TM_ST_FATAL;
		tm_ev_put(row, TM_EVC_DOMAIN, words[i].domain);
		tm_ev_put(row, TM_EVC_NAME, name);
		return TM_ST_OK;
	}
	return named(q, p, row);
}

/* A value belongs to a dispatch, or to a moment.  A streaming counter belongs to both, but it is
 * one of many moments of that dispatch, so its kernel would be counted many times. */
static enum tm_status finish_counter(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                     enum tm_ev_kind *kind)
{
	uint64_t n, start, end;

	(void)q;
	(void)kind;
	if (tm_sq_slot_u64(p, SLOT_SPM, &start) || tm_sq_slot_u64(p, SLOT_MOMENT, &start)) {
		row->has &= ~TM_EV_BIT(TM_EVC_NAME);
		end = start;
	} else if (!tm_sq_slot_u64(p, SLOT_DISPATCHES, &n) || n != 1 ||
	           !tm_sq_slot_u64(p, SLOT_START, &start) || !tm_sq_slot_u64(p, SLOT_END, &end)) {
		return TM_ST_SKIP;
	}
	if (start >> 63 || end >> 63)
		return TM_ST_SKIP;
	tm_ev_put(row, TM_EVC_START, start);
	tm_ev_put(row, TM_EVC_END, end);
	return TM_ST_OK;
}

static enum tm_status finish_graph(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                   enum tm_ev_kind *kind)
{
	struct rocpd *t = ((struct run *)p->arg)->owner;

	(void)q;
	(void)kind;
	tm_ev_put(row, TM_EVC_NAME, t->graph);
	tm_ev_put(row, TM_EVC_DOMAIN, TM_DOMAIN_OTHER);
	return TM_ST_OK;
}

static void json_number(struct rocpd *t, const char *json, size_t n, const char *key,
                        enum tm_ev_col c, struct tm_ev_row *row)
{
	struct json_item v;
	uint64_t number;

	if (tm_json_find(json, n, key, &t->json, &v) && tm_json_u64(&v, &number))
		tm_ev_put(row, c, number);
	else if (t->json.failed)
		tm_sq_oom(&t->rows);
}

static enum tm_status finish_agent(struct sq_rows *q, struct sq_part *p, struct tm_ev_row *row,
                                   enum tm_ev_kind *kind)
{
	const char *json;
	struct rocpd *t = ((struct run *)p->arg)->owner;
	size_t n;

	(void)q;
	(void)kind;
	if (tm_sq_slot_text(p, SLOT_EXTDATA, &json, &n)) {
		json_number(t, json, n, "cu_count", TM_EVC_CUS, row);
		json_number(t, json, n, "gfx_target_version", TM_EVC_GFX, row);
		json_number(t, json, n, "device_id", TM_EVC_DEVICE, row);
		json_number(t, json, n, "max_engine_clk_fcompute", TM_EVC_MHZ, row);
		json_number(t, json, n, "num_xcc", TM_EVC_XCCS, row);
	}
	return TM_ST_OK;
}

/* ---- opening ---- */

/* A run with tables of that suffix. */
static bool add_run(struct rocpd *t, const char *suffix)
{
	struct run *run = calloc(1, sizeof *run);

	if (!run || !tm_grow_array(&t->run, &t->runs_cap, t->nruns + 1, sizeof *t->run)) {
		free(run);
		return false;
	}
	run->owner = t;
	run->index = t->nruns;
	t->run[t->nruns++] = run;
	for (int k = 0; k < TABLES; k++) {
		struct tm_buf name = { 0 };

		if (!tm_buf_fmt(&name, "%s%s", table_words[k], suffix))
			return false;
		run->table[k] = name.p;
	}
	return true;
}

/* Is there a table of that word and suffix?  Out of memory says yes. */
static bool has_table(const struct tm_sqlite_file *f, const char *word, const char *suffix)
{
	struct tm_buf b = { 0 };
	bool has = !tm_buf_fmt(&b, "%s%s", word, suffix) || tm_sqlite_file_has(f, b.p);

	tm_buf_fini(&b);
	return has;
}

/* The suffixes of the tables, each a run, in the order of the tables' names. */
static bool find_runs(struct rocpd *t, const struct tm_sqlite_file *f)
{
	static const enum table_id anchors[] = { TABLE_string, TABLE_kernel_dispatch,
		                                 TABLE_region };

	for (size_t a = 0; a < sizeof anchors / sizeof *anchors; a++) {
		const char *word = table_words[anchors[a]];
		size_t n = strlen(word);

		for (size_t i = 0; i < f->ntables; i++) {
			bool seen = strncmp(f->table[i], word, n) != 0;

			for (size_t k = 0; !seen && k < a; k++)
				seen = has_table(f, table_words[anchors[k]], f->table[i] + n);
			if (!seen && !add_run(t, f->table[i] + n))
				return false;
		}
	}
	return true;
}

/* The value of a tag in rocpd_metadata, or "". */
static bool metadata(struct rocpd *t, const struct run *run, const char *tag, struct tm_buf *out)
{
	struct sq_rows *q = &t->rows;
	sqlite3_stmt *st = NULL;

	tm_buf_clear(out);
	if (!tm_sq_column_name(q, run->table[TABLE_metadata], "tag") ||
	    !tm_sq_column_name(q, run->table[TABLE_metadata], "value"))
		return !q->dead;
	if (!tm_sq_prepare(q, &st,
	                   "SELECT value FROM \"%w\" WHERE tag=%Q AND typeof(value)='text' LIMIT 1",
	                   run->table[TABLE_metadata], tag))
		return false;
	if (sqlite3_step(st) == SQLITE_ROW)
		tm_buf_add(out, sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0));
	if (!tm_sq_asked(q, st) || out->failed)
		tm_sq_oom(q);
	return !q->dead;
}

/* Only version 3 is known; later ones pack their texts. */
static bool check_version(struct rocpd *t, const struct run *run)
{
	if (!metadata(t, run, "schema_version", &t->text))
		return false;
	if (!t->text.n || (t->text.p[0] == '3' && (t->text.n == 1 || t->text.p[1] == '.')))
		return true;
	t->rows.dead = true;
	tm_diag_set(&t->rows.why, 0,
	            "rocpd schema version %.40s; supported are 3.0.0 to 3.0.5: convert it with "
	            "'rocpd convert', or use a newer tracemill",
	            t->text.p);
	return false;
}

/* Is one of rocprof-sys's, or of rocprofv3's, categories among the strings?  0 no, 1 rocprofv3's, 2
 * rocprof-sys's. */
static int words_of(struct rocpd *t, const struct run *run)
{
	static const char
	        sys[] = "'rocm_kernel_dispatch','rocm_hip_api','rocm_memory_copy','rocm_hsa_api'",
	        v3[] = "'KERNEL_DISPATCH','HIP_RUNTIME_API_EXT','HSA_CORE_API','MEMORY_COPY',"
	               "'HIP_RUNTIME_API','MARKER_CORE_RANGE_API'";
	struct sq_rows *q = &t->rows;
	const char *const list[] = { sys, v3 };
	int found = 0;

	if (!tm_sq_column_name(q, run->table[TABLE_string], "string"))
		return 0;
	for (int i = 0; i < 2 && !found; i++) {
		sqlite3_stmt *st = NULL;

		if (!tm_sq_prepare(q, &st, "SELECT 1 FROM \"%w\" WHERE string IN (%s) LIMIT 1",
		                   run->table[TABLE_string], list[i]))
			return 0;
		if (sqlite3_step(st) == SQLITE_ROW)
			found = 2 - i;
		if (!tm_sq_asked(q, st))
			return 0;
	}
	return found;
}

static const char *producer_of(struct rocpd *t, const struct run *run)
{
	static const struct {
		const char *table, *column, *who[3];
	} versions[] = {
#define VERSION(table, column, rocprofv3, rocprofsys, other)                                       \
	{ "rocpd_" table, column, { other, rocprofv3, rocprofsys } },
#include "schemas/rocpd.def"
	};
	const char *suffix = run->table[TABLE_string] + strlen(table_words[TABLE_string]);
	int who = words_of(t, run);

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		struct tm_buf b = { 0 };
		bool has;

		tm_buf_fmt(&b, "%s%s", versions[i].table, suffix);
		has = b.p && (*versions[i].column
		                      ? tm_sq_column_name(&t->rows, b.p, versions[i].column) != NULL
		                      : tm_sqlite_file_has(t->rows.r->file, b.p));
		if (b.failed)
			tm_sq_oom(&t->rows);
		tm_buf_fini(&b);
		if (has)
			return versions[i].who[who];
	}
	return NULL;
}

/* "display_name" or another of those columns as an expression; `fallback`, in SQL, when there is
 * none. */
static const char *expression(struct rocpd *t, const char *table, const char *first,
                              const char *second, const char *fallback)
{
	bool a = tm_sq_column_name(&t->rows, table, first),
	     b = tm_sq_column_name(&t->rows, table, second);

	tm_buf_clear(&t->text);
	if (a && b)
		tm_buf_fmt(&t->text, "coalesce(nullif(\"%s\",''),\"%s\")", first, second);
	else if (a || b)
		tm_buf_fmt(&t->text, "\"%s\"", a ? first : second);
	else
		tm_buf_str(&t->text, fallback);
	return t->text.p ? t->text.p : "NULL";
}

/* ---- whose it is ---- */

/* The environment of a process, as JSON. */
struct environment {
	struct rocpd *t;
	const char *json;
	size_t n;
};

static bool number_in(void *arg, const char *variable, uint64_t *out)
{
	const struct environment *e = arg;
	struct json_item v;

	return tm_json_find(e->json, e->n, variable, &e->t->json, &v) && tm_json_u64(&v, out);
}

/* The rank in the environment of a process. */
static bool launched_as(struct rocpd *t, const char *json, size_t n, uint64_t *rank)
{
	struct environment e = { t, json, n };
	struct tm_launched as;
	bool known = tm_launched(number_in, &e, &as);

	if (t->json.failed)
		tm_sq_oom(&t->rows);
	if (known)
		*rank = as.rank;
	return known;
}

/* Every text in a column of a table of the run through a function. */
static bool each_text(struct rocpd *t, struct run *run, enum table_id table, const char *columns,
                      bool (*take)(struct rocpd *, struct run *, const char *, size_t))
{
	const char *column = tm_sq_column_name(&t->rows, run->table[table], columns);
	sqlite3_stmt *st = NULL;
	int rc = SQLITE_DONE;

	if (!column)
		return !t->rows.dead;
	if (!tm_sq_prepare(&t->rows, &st, "SELECT \"%w\" FROM \"%w\" WHERE typeof(\"%w\")='text'",
	                   column, run->table[table], column))
		return false;
	while (!t->rows.dead && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 0);

		if (!text || !take(t, run, text, (size_t)sqlite3_column_bytes(st, 0)))
			tm_sq_oom(&t->rows);
	}
	if (rc == SQLITE_NOMEM)
		tm_sq_oom(&t->rows);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		tm_sq_damaged(&t->rows, "a process cannot be read");
	sqlite3_finalize(st);
	return !t->rows.dead;
}

static bool take_environment(struct rocpd *t, struct run *run, const char *p, size_t n)
{
	uint64_t rank = 0;

	if (launched_as(t, p, n, &rank)) {
		run->odd |= run->has_rank && run->rank != rank;
		run->has_rank = true;
		run->rank = rank;
	}
	return true;
}

/* "" when there are several. */
static bool take_host(struct rocpd *t, struct run *run, const char *p, size_t n)
{
	(void)t;
	(void)n;
	if (!run->host)
		run->host = strdup(p);
	else if (strcmp(run->host, p) != 0)
		*run->host = '\0';
	return run->host != NULL;
}

static const char *host_of(const struct run *run)
{
	return run->host && *run->host ? run->host : NULL;
}

static bool make_maps(struct rocpd *t, struct run *run)
{
	struct sq_rows *q = &t->rows;
	char *const *table = run->table;

	if (!tm_sq_map_init(q, &run->map[MAP_STRINGS], table[TABLE_string],
	                    expression(t, table[TABLE_string], "string", "string", "NULL"), true) ||
	    !tm_sq_map_init(q, &run->map[MAP_KERNELS], table[TABLE_info_kernel_symbol],
	                    expression(t, table[TABLE_info_kernel_symbol], "display_name",
	                               "kernel_name", "NULL"),
	                    true) ||
	    !tm_sq_map_init(
	            q, &run->map[MAP_AGENTS], table[TABLE_info_agent],
	            expression(t, table[TABLE_info_agent], "logical_index", "absolute_index", "id"),
	            false) ||
	    !tm_sq_map_init(q, &run->map[MAP_PIDS], table[TABLE_info_process],
	                    expression(t, table[TABLE_info_process], "pid", "pid", "NULL"),
	                    false) ||
	    !tm_sq_map_init(q, &run->map[MAP_TIDS], table[TABLE_info_thread],
	                    expression(t, table[TABLE_info_thread], "tid", "tid", "NULL"), false))
		return false;
	if (!tm_sq_column_name(q, table[TABLE_event], "extdata"))
		return !q->dead;
	return tm_sq_prepare(q, &run->message, "SELECT extdata FROM \"%w\" WHERE id=?1",
	                     table[TABLE_event]);
}

/* All instances of a counter, within a dispatch or at a moment. */
static const char *group_of(struct rocpd *t, const struct run *run)
{
	bool named = tm_sq_column_name(&t->rows, run->table[TABLE_info_pmc], "name") &&
	             tm_sq_column_name(&t->rows, run->table[TABLE_info_pmc], "id");
	bool streams = tm_sq_column_name(&t->rows, run->table[TABLE_pmc_event], "sample_id");

	if (!named)
		return streams ? "t.event_id,t.sample_id,t.pmc_id" : "t.event_id,t.pmc_id";
	return streams ? "t.event_id,t.sample_id,i.name" : "t.event_id,i.name";
}

/* One query of a run. */
static bool add_part(struct rocpd *t, struct run *run, enum query_id id)
{
	char *const *table = run->table;
	static const struct {
		const char *what;
		enum table_id table;
		enum tm_ev_kind kind;
		sq_finish finish;
	} queries[QUERIES] = {
		[Q_dispatch] = { "dispatches", TABLE_kernel_dispatch, TM_EV_DISPATCH,
		                 finish_plain },
		[Q_copy] = { "copies", TABLE_memory_copy, TM_EV_COPY, finish_plain },
		[Q_alloc] = { "allocations", TABLE_memory_allocate, TM_EV_ALLOC, finish_alloc },
		[Q_region] = { "regions", TABLE_region, TM_EV_API, finish_region },
		[Q_sample] = { "samples", TABLE_sample, TM_EV_API, finish_sample },
		[Q_counter] = { "counters", TABLE_pmc_event, TM_EV_COUNTER, finish_counter },
		[Q_graph] = { "launches of graphs", TABLE_graph_launch, TM_EV_API, finish_graph },
		[Q_agent] = { "agents", TABLE_info_agent, TM_EV_AGENT, finish_agent },
	};
	const struct sq_join of_row[] = {
		{ 'e', table[TABLE_event], "id", 't', "event_id" },
		{ 'k', table[id == Q_sample ? TABLE_track : TABLE_info_kernel_symbol], "id", 't',
		  id == Q_sample ? "track_id" : "kernel_id" },
		{ 'p', table[TABLE_pmc_event], "event_id", 't', "event_id" },
		{ 'q', table[TABLE_pmc_event], "sample_id", 't', "id" },
		{ .letter = 0 },
	};
	const struct sq_join of_counter[] = {
		{ 'e', table[TABLE_event], "id", 't', "event_id" },
		{ 'i', table[TABLE_info_pmc], "id", 't', "pmc_id" },
		{ 'd', table[TABLE_kernel_dispatch], "event_id", 't', "event_id" },
		{ 's', table[TABLE_sample], "event_id", 't', "event_id" },
		{ 'k', table[TABLE_track], "id", 's', "track_id" },
		{ 'z', table[TABLE_sample], "id", 't', "sample_id" },
		{ .letter = 0 },
	};
	struct sq_column columns[SQ_CELLS + 1];
	struct sq_map *maps[MAPS];
	struct sq_query query = { .what = queries[id].what,
		                  .table = table[queries[id].table],
		                  .column = columns,
		                  .join = id == Q_counter ? of_counter : of_row };
	struct sq_part *p;
	size_t n = 0;

	for (size_t i = 0; i < sizeof all_columns / sizeof *all_columns; i++)
		if (all_queries[i] == id)
			columns[n++] = all_columns[i];
	columns[n].names = NULL;
	for (int i = 0; i < MAPS; i++)
		maps[i] = &run->map[i];
	if (id == Q_counter)
		query.group = group_of(t, run);
	p = tm_sq_rows_add(&t->rows, &query, queries[id].kind, maps);
	if (!p)
		return !t->rows.dead;
	p->finish = queries[id].finish;
	p->arg = run;
	if (run->guid != TM_NAME_NONE && t->rows.r->want & TM_EV_BIT(TM_EVC_GUID)) {
		p->fixed[p->nfixed].col = TM_EVC_GUID;
		p->fixed[p->nfixed++].value = run->guid;
	}
	return true;
}

static bool open_run(struct rocpd *t, struct run *run)
{
	struct tm_reader *r = t->rows.r;

	if (!check_version(t, run) || !metadata(t, run, "guid", &t->text))
		return false;
	run->guid = t->text.n ? tm_names_add(&r->names, t->text.p, t->text.n) : TM_NAME_NONE;
	run->producer = producer_of(t, run);
	if (!r->producer)
		r->producer = run->producer;
	if (!each_text(t, run, TABLE_info_process, "environment", take_environment) ||
	    !each_text(t, run, TABLE_info_node, "hostname", take_host) || !make_maps(t, run))
		return false;
	run->has_rank &= !run->odd;
	for (int i = 0; i < QUERIES; i++)
		if (!add_part(t, run, (enum query_id)i))
			return false;
	return true;
}

/* The ids of all processes. */
static bool know_guids(struct rocpd *t)
{
	struct tm_reader *r = t->rows.r;

	t->guid = calloc(t->nruns + 1, sizeof *t->guid);
	for (size_t i = 0; t->guid && i < t->nruns; i++)
		if (t->run[i]->guid != TM_NAME_NONE)
			t->guid[r->nguids++] = t->run[i]->guid;
	r->guid = t->guid;
	return t->guid != NULL;
}

/* Processes of several ranks in one file are traces of their own. */
static bool make_origins(struct rocpd *t)
{
	struct tm_reader *r = t->rows.r;
	uint64_t size = 0;
	int fd;

	t->origin = calloc(t->nruns, sizeof *t->origin);
	if (!t->origin)
		return false;
	tm_source_regular(r->src, &fd, &size);
	for (size_t i = 0; i < t->nruns; i++) {
		struct run *run = t->run[i];
		struct tm_buf b = { 0 };

		tm_buf_fmt(&b, "%s:%s", tm_source_name(r->src),
		           run->guid == TM_NAME_NONE ? run->table[TABLE_string]
		                                     : r->names.v[run->guid].text);
		run->path = b.p;
		if (b.failed || !run->path)
			return false;
		t->origin[i] = (struct tm_origin) { .id.path = run->path,
			                            .id.run = run->path,
			                            .id.rank = run->rank,
			                            .id.rule = TM_RANK_TRACE,
			                            .id.format = r->ops->name,
			                            .id.table = r->table,
			                            .id.producer = run->producer,
			                            .id.clock = r->clock,
			                            .id.host = host_of(run),
			                            .id.bytes = size,
			                            .live = true };
	}
	for (size_t i = 0; i < t->rows.nparts; i++) {
		const struct run *run = t->rows.part[i].arg;

		t->rows.part[i].loss = &t->origin[run->index].loss;
	}
	r->origins = t->origin;
	r->norigins = t->nruns;
	t->origin[0].loss = r->loss;
	r->loss = (struct tm_loss) { 0 };
	return true;
}

/* What all processes of the file have in common, or a trace for each. */
static bool know_ranks(struct rocpd *t)
{
	struct tm_reader *r = t->rows.r;
	const struct run *first = t->run[0];
	bool ranks = true, one = true, same = true;

	for (size_t i = 0; i < t->nruns; i++) {
		const struct run *run = t->run[i];

		ranks &= run->has_rank;
		one &= run->rank == first->rank;
		same &= host_of(run) && host_of(first) && !strcmp(host_of(run), host_of(first));
	}
	if (ranks && !one)
		return make_origins(t);
	r->has_rank = ranks;
	r->rank = first->rank;
	r->host = same ? host_of(first) : NULL;
	return true;
}

static enum tm_status rocpd_open(struct tm_reader *r, struct tm_diag *d)
{
	struct rocpd *t = r->priv;
	enum tm_status st = tm_sqlite_file_open(r, d);

	if (st != TM_ST_OK)
		return st;
	tm_sq_rows_init(&t->rows, r, "rocpd database");
	r->table = "profile database";
	r->clock = "boottime";
	t->graph = tm_names_add(&r->names, "graph launch", strlen("graph launch"));
	if (!tm_sqlite_file_tables(r->file))
		tm_sq_damaged(&t->rows, "its tables cannot be listed");
	else if (t->graph == TM_NAME_NONE || !find_runs(t, r->file))
		tm_sq_oom(&t->rows);
	else if (!t->nruns) {
		t->rows.dead = true;
		tm_diag_set(&t->rows.why, 0,
		            "not a rocpd database: it has no table rocpd_kernel_dispatch");
	}
	for (size_t i = 0; i < t->nruns && !t->rows.dead; i++)
		open_run(t, t->run[i]);
	if (!t->rows.dead && (!know_ranks(t) || !know_guids(t)))
		tm_sq_oom(&t->rows);
	if (!t->rows.dead && tm_sq_unused_end(&t->rows))
		return TM_ST_OK;
	if (d)
		*d = t->rows.why;
	return TM_ST_FATAL;
}

static enum tm_status rocpd_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct rocpd *t = r->priv;
	enum tm_status st = tm_sq_rows_next(&t->rows, b, d);

	if (!r->norigins)
		return st;
	if (st == TM_ST_OK) {
		const struct run *run = t->rows.part[t->rows.given].arg;

		r->origin = &t->origin[run->index];
	} else if (!t->added) {
		t->added = true;
		for (size_t i = 0; i < t->nruns; i++)
			tm_loss_add(&r->loss, &t->origin[i].loss, 0);
	}
	return st;
}

static void rocpd_close(struct tm_reader *r)
{
	struct rocpd *t = r->priv;

	tm_sq_rows_fini(&t->rows);
	for (size_t i = 0; i < t->nruns; i++) {
		for (int k = 0; k < TABLES; k++)
			free(t->run[i]->table[k]);
		for (int k = 0; k < MAPS; k++)
			tm_sq_map_fini(&t->run[i]->map[k]);
		sqlite3_finalize(t->run[i]->message);
		free(t->run[i]->host);
		free(t->run[i]->path);
		free(t->run[i]);
	}
	free(t->run);
	free(t->origin);
	free(t->guid);
	free(t->domain);
	tm_buf_fini(&t->text);
	tm_buf_fini(&t->json);
}

const struct tm_reader_ops tm_reader_rocpd = {
	.name = "rocpd",
	.about = "rocpd databases of rocprofv3 (7.0 and later) and rocprof-sys (SQLite)",
	.bid = bid,
	.dialect = tm_sqlite_file_dialect,
	.ranks = true,
	.priv_size = sizeof(struct rocpd),
	.open = rocpd_open,
	.next = rocpd_next,
	.close = rocpd_close,
};
