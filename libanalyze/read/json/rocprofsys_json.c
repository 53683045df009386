/* SPDX-License-Identifier: MIT
 * Tables of rocprof-sys and omnitrace as JSON: wall_clock.json and its like, which timemory writes.
 *
 *     {"timemory": {"wall_clock": {"unit_value": 1000000000, "unit_repr": "sec", "ranks": [{"rank":
 *     0,
 *       "graph": [{"prefix": "|0>>> |_solve", "depth": 1, "entry": {"laps": 12, "accum": 64047000,
 *       ...},
 *         "stats": {"min": 0.004, "max": 0.007, "mean": 0.005, "stddev": 0.001, ...}}, ...]}]}}}
 *
 * accum is in units of which unit_value make one unit_repr: ns, for clocks.  The tree after ranks,
 * and what stands in *.tree.json, is the same once more.  Some writers put the units after the
 * rows; those are then taken for what they are in wall_clock.json, and what they are is looked at
 * in the end.  The files are small, so one is read whole.
 *
 * Where processes of MPI are put into one file, "ranks" has an element for each that has rows. */
#include "base/base.h"
#include "read/json/json_stream.h"
#include "read/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 256 * 1024, DEEPEST = 8, RANKS_MAX = 65536 };

/* Where in the file: inside which containers. */
enum place { P_OUTSIDE, P_TOP, P_TIMEMORY, P_METRIC, P_RANKS, P_RANK, P_ROWS };

struct sys_json {
	struct tm_buf in;
	struct json c;
	struct sys_rows rows;
	enum place place;
	bool first[P_ROWS + 1]; /* nothing of that container was read yet */
	bool any;               /* there was a list of rows */
	uint64_t per_unit;      /* unit_value; 0 = not said yet */
	struct tm_buf unit;     /* unit_repr; has_unit */
	bool has_unit;
	bool assumed; /* rows were taken before the units were known */
	struct tm_buf label;
	/* Of a file with several ranks: those of "ranks", in its order; element counts those begun,
	 * and of_rows is the one that rows.out is of.  nranks 0: what is there is of one. */
	struct sys_rank {
		uint64_t rank;
		char *path;
	} * ranks;
	struct tm_origin *origin;
	size_t nranks, ranks_cap, element, of_rows;
	bool added;
	bool broken, dead;
	struct tm_diag why;
};

static unsigned sys_bid(const unsigned char *p, size_t n, bool whole)
{
	static const char key[] = "\"timemory\"", graph[] = "\"graph\"", unit[] = "\"unit_repr\"";
	size_t i = 0;
	unsigned bits = 0;

	(void)whole;
	while (i < n && memchr(" \t\r\n\xef\xbb\xbf", p[i], 7))
		i++;
	if (i == n || p[i] != '{')
		return 0;
	for (i++; i < n && memchr(" \t\r\n", p[i], 4); i++)
		;
	if (n - i < sizeof key - 1 || memcmp(p + i, key, sizeof key - 1) != 0)
		return 0;
	bits += memmem(p, n, graph, sizeof graph - 1) ? 40 : 0;
	bits += memmem(p, n, unit, sizeof unit - 1) ? 40 : 0;
	return bits;
}

static bool fail(struct sys_json *t)
{
	t->dead = true;
	return false;
}

/* ---- a row ---- */

/* The text of a number or of a string, as it stands there. */
static struct tm_small_field field_of(const struct json_item *v)
{
	bool is = v->kind == JSON_NUMBER || v->kind == JSON_STRING;

	return (struct tm_small_field) { is ? (const char *)v->p : "", is ? v->n : 0 };
}

/* The members of "entry" and "stats", into the row. */
static bool read_numbers(struct json *c, struct sys_row *row, struct tm_small_field *accum)
{
	const struct {
		const char *key;
		struct tm_small_field *at;
	} known[] = {
		{ "laps", &row->calls },    { "accum", accum },   { "repr_data", &row->sum },
		{ "mean", &row->mean },     { "min", &row->min }, { "max", &row->max },
		{ "stddev", &row->stddev },
	};
	struct json_item key, v;
	bool first = true;

	while (tm_json_member(c, &first, &key)) {
		v = tm_json_value(c);
		if (v.kind == JSON_NONE || !tm_json_skip_rest(c, v.kind))
			return false;
		for (size_t i = 0; i < sizeof known / sizeof *known; i++)
			if (json_is(&key, known[i].key, strlen(known[i].key)))
				*known[i].at = field_of(&v);
	}
	return c->state == JSON_GOOD;
}

/* The sum in ns out of accum, where that is exact. */
static void exact_sum(const struct sys_json *t, const struct tm_small_field *accum,
                      struct sys_row *row)
{
	uint64_t v;

	row->has_ns = t->rows.timed && t->per_unit && t->rows.unit % t->per_unit == 0 &&
	              tm_num_u64(accum->p, accum->n, &v) &&
	              !__builtin_mul_overflow(v, t->rows.unit / t->per_unit, &row->sum_ns);
}

/* One element of "graph".  False when the file is none, or out of memory. */
static bool take_row(struct tm_reader *r)
{
	static const struct tm_small_field none = { "", 0 };
	struct sys_json *t = r->priv;
	struct sys_row row = { .label = none,
		               .calls = none,
		               .depth = none,
		               .sum = none,
		               .mean = none,
		               .min = none,
		               .max = none,
		               .stddev = none,
		               .at = (uint64_t)((const char *)t->c.p - t->in.p) };
	struct json_item key, v = tm_json_value(&t->c), label = { .kind = JSON_NONE };
	struct tm_small_field accum = none;
	bool first = true;
	const char *p;
	size_t n;

	if (v.kind != JSON_OBJECT) {
		if (v.kind != JSON_NONE && tm_json_skip_rest(&t->c, v.kind))
			tm_loss_count(&r->loss, TM_LOSS_EVENT, 1, row.at);
		return t->c.state == JSON_GOOD;
	}
	while (tm_json_member(&t->c, &first, &key)) {
		v = tm_json_value(&t->c);
		if (v.kind == JSON_OBJECT &&
		    (json_is(&key, "entry", 5) || json_is(&key, "stats", 5))) {
			if (!read_numbers(&t->c, &row, &accum))
				return false;
			continue;
		}
		if (v.kind == JSON_NONE || !tm_json_skip_rest(&t->c, v.kind))
			return false;
		if (json_is(&key, "prefix", 6))
			label = v;
		else if (json_is(&key, "depth", 5))
			row.depth = field_of(&v);
	}
	if (t->c.state != JSON_GOOD)
		return false;
	if (label.kind == JSON_STRING) {
		tm_buf_clear(&t->label);
		if (!tm_json_text(&label, &t->label, &p, &n)) {
			tm_diag_oom(&t->why);
			return fail(t);
		}
		row.label = (struct tm_small_field) { p, n };
	}
	if (!t->has_unit || !t->per_unit) {
		t->assumed = true;
		t->has_unit = true;
		tm_sys_unit(&t->rows, "sec", 3);
		t->per_unit = UINT64_C(1000000000);
	}
	exact_sum(t, &accum, &row);
	switch (tm_sys_take(r, &t->rows, &row)) {
	case SYS_MISFIT:
		tm_loss_count(&r->loss, TM_LOSS_EVENT, 1, row.at);
		return true;
	case SYS_OOM:
		tm_diag_oom(&t->why);
		return fail(t);
	case SYS_TAKEN:
		break;
	}
	return true;
}

/* ---- the walk ---- */

static void enter(struct sys_json *t, enum place place)
{
	t->place = place;
	t->first[place] = true;
}

/* A unit that is said after the rows must be what they were taken for. */
static bool check_units(struct sys_json *t, uint64_t per_unit)
{
	struct sys_rows probe = { 0 };

	if (t->assumed &&
	    (per_unit ? per_unit != t->per_unit
	              : !tm_sys_unit(&probe, t->unit.p, t->unit.n) || probe.unit != t->rows.unit)) {
		tm_diag_set(&t->why, 0, "its unit comes after its rows and does not fit them");
		return fail(t);
	}
	return true;
}

/* A member of a metric: {"type": "wall_clock", "unit_value": ...}. */
static bool take_metric(struct tm_reader *r, const struct json_item *key)
{
	struct sys_json *t = r->priv;
	struct json_item v = tm_json_value(&t->c);
	uint64_t u;

	if (v.kind == JSON_ARRAY && json_is(key, "ranks", 5)) {
		if (t->has_unit)
			tm_sys_unit(&t->rows, t->unit.p, t->unit.n);
		enter(t, P_RANKS);
		return true;
	}
	if (v.kind == JSON_NONE || !tm_json_skip_rest(&t->c, v.kind))
		return false;
	if (json_is(key, "unit_value", 10) && tm_json_u64(&v, &u) && u) {
		if (!check_units(t, u))
			return false;
		t->per_unit = u;
	}
	if (json_is(key, "unit_repr", 9) && v.kind == JSON_STRING) {
		tm_buf_clear(&t->unit);
		if (!tm_buf_add(&t->unit, v.p, v.n)) {
			tm_diag_oom(&t->why);
			return fail(t);
		}
		t->has_unit = true;
		return check_units(t, 0);
	}
	return true;
}

/* The next thing in the container at hand.  False: the end, or no JSON. */
static bool step(struct tm_reader *r)
{
	struct sys_json *t = r->priv;
	struct json *c = &t->c;
	struct json_item key, v;
	bool more;

	switch (t->place) {
	case P_OUTSIDE:
		return false;
	case P_TOP:
	case P_TIMEMORY:
	case P_METRIC:
	case P_RANK:
		if (!tm_json_member(c, &t->first[t->place], &key)) {
			t->place--;
			return c->state == JSON_GOOD;
		}
		if (t->place == P_METRIC)
			return take_metric(r, &key);
		v = tm_json_value(c);
		if (t->place == P_TOP && v.kind == JSON_OBJECT && json_is(&key, "timemory", 8)) {
			enter(t, P_TIMEMORY);
			return true;
		}
		if (t->place == P_TIMEMORY && v.kind == JSON_OBJECT && t->any) {
			tm_diag_set(&t->why, 0, "it has two tables: only the first is read");
			return fail(t);
		}
		if (t->place == P_TIMEMORY && v.kind == JSON_OBJECT) {
			t->has_unit = false;
			t->per_unit = 0;
			enter(t, P_METRIC);
			return true;
		}
		if (t->place == P_RANK && v.kind == JSON_ARRAY && json_is(&key, "graph", 5)) {
			t->any = true;
			tm_sys_restart(&t->rows);
			enter(t, P_ROWS);
			return true;
		}
		return v.kind != JSON_NONE && tm_json_skip_rest(c, v.kind);
	case P_RANKS:
		more = tm_json_element(c, &t->first[P_RANKS]);
		if (!more) {
			t->place--;
			return c->state == JSON_GOOD;
		}
		v = tm_json_value(c);
		if (v.kind != JSON_OBJECT)
			return v.kind != JSON_NONE && tm_json_skip_rest(c, v.kind);
		t->element++;
		enter(t, P_RANK);
		return true;
	case P_ROWS:
		if (tm_json_element(c, &t->first[P_ROWS]))
			return take_row(r);
		t->place--;
		return c->state == JSON_GOOD;
	}
	return false;
}

/* Why the walk stopped. */
static void stopped(struct tm_reader *r)
{
	struct sys_json *t = r->priv;
	uint64_t at = (uint64_t)((const char *)t->c.p - t->in.p);

	if (t->dead)
		return;
	t->dead = t->c.state != JSON_GOOD;
	if (t->broken)
		return;
	if (t->c.state == JSON_MORE)
		tm_diag_set(&t->why, 0,
		            "the file ends inside a value: truncated, or still being written");
	else if (t->c.state == JSON_BAD)
		tm_diag_set(&t->why, 0, "not valid JSON at byte %llu: %s", (unsigned long long)at,
		            t->c.why);
}

static enum tm_status read_all(struct tm_reader *r, struct tm_diag *d)
{
	struct sys_json *t = r->priv;
	enum tm_status st = TM_ST_OK;

	while (st == TM_ST_OK && t->in.n <= TM_SMALL_MAX) {
		size_t got = 0;

		if (!tm_buf_reserve(&t->in, READ_BYTES)) {
			tm_diag_oom(d);
			return TM_ST_FATAL;
		}
		st = tm_source_read(r->src, t->in.p + t->in.n, t->in.cap - t->in.n - 1, &got,
		                    &t->why);
		t->in.n += got;
	}
	t->broken = st == TM_ST_FATAL;
	if (st == TM_ST_OK) {
		tm_diag_set(d, 0, "a table of more than %d MiB: not read",
		            TM_SMALL_MAX / (1024 * 1024));
		return TM_ST_FATAL;
	}
	if (!tm_buf_reserve(&t->in, JSON_PAD)) {
		tm_diag_oom(d);
		return TM_ST_FATAL;
	}
	memset(t->in.p + t->in.n, 0, JSON_PAD);
	return TM_ST_OK;
}

/* The ranks in the array at hand, which is otherwise left unread.  False when out of memory. */
static bool find_ranks(struct sys_json *t, struct json c)
{
	bool element = true;

	while (tm_json_element(&c, &element)) {
		struct json_item key, v = tm_json_value(&c);
		bool member = true, found = false;
		uint64_t rank = 0;

		if (v.kind != JSON_OBJECT)
			break;
		while (tm_json_member(&c, &member, &key)) {
			v = tm_json_value(&c);
			if (json_is(&key, "rank", 4))
				found = tm_json_u64(&v, &rank);
			if (v.kind == JSON_NONE || !tm_json_skip_rest(&c, v.kind))
				break;
		}
		for (size_t i = 0; i < t->nranks; i++)
			found &= t->ranks[i].rank != rank;
		if (!found || t->nranks == RANKS_MAX) {
			t->nranks = 0;
			return true;
		}
		if (!tm_grow_array(&t->ranks, &t->ranks_cap, t->nranks + 1, sizeof *t->ranks))
			return false;
		t->ranks[t->nranks++] = (struct sys_rank) { .rank = rank };
		if (c.state != JSON_GOOD)
			break;
	}
	return true;
}

/* A trace for each rank, where there are several. */
static bool make_origins(struct tm_reader *r)
{
	struct sys_json *t = r->priv;
	uint64_t size = 0;
	int fd;

	t->origin = calloc(t->nranks, sizeof *t->origin);
	if (!t->origin)
		return false;
	tm_source_regular(r->src, &fd, &size);
	for (size_t i = 0; i < t->nranks; i++) {
		struct tm_buf b = { 0 };

		tm_buf_fmt(&b, "%s:%" PRIu64, tm_source_name(r->src), t->ranks[i].rank);
		t->ranks[i].path = b.p;
		if (b.failed || !b.p)
			return false;
		t->origin[i] = (struct tm_origin) { .id.path = b.p,
			                            .id.run = b.p,
			                            .id.rank = t->ranks[i].rank,
			                            .id.rule = TM_RANK_TRACE,
			                            .id.format = r->ops->name,
			                            .id.table = r->table,
			                            .id.producer = r->producer,
			                            .id.clock = r->clock,
			                            .id.bytes = size,
			                            .live = true };
	}
	r->origins = t->origin;
	r->norigins = t->nranks;
	r->has_rank = false;
	return true;
}

/* The name of the metric, and whether there is more than one process, without reading it all. */
static enum tm_status look(struct tm_reader *r, struct tm_diag *d)
{
	struct sys_json *t = r->priv;
	struct json c = t->c;
	struct json_item key, v, metric;
	struct sys_rows probe = { 0 };
	bool outer = true, middle = true, inner = true;
	uint64_t u, processes = 0, ranks = 0, rank;

	r->table = "function times";
	if (tm_json_value(&c).kind != JSON_OBJECT)
		return TM_ST_OK;
	while (tm_json_member(&c, &outer, &key)) {
		v = tm_json_value(&c);
		if (v.kind == JSON_OBJECT && json_is(&key, "timemory", 8))
			break;
		if (v.kind == JSON_NONE || !tm_json_skip_rest(&c, v.kind))
			return TM_ST_OK;
	}
	if (!tm_json_member(&c, &middle, &metric) || tm_json_value(&c).kind != JSON_OBJECT)
		return TM_ST_OK;
	r->table = tm_sys_table((const char *)metric.p, metric.n);
	while (tm_json_member(&c, &inner, &key)) {
		v = tm_json_value(&c);
		if (json_is(&key, "mpi_size", 8) && tm_json_u64(&v, &u))
			processes = u;
		if (json_is(&key, "num_ranks", 9) && tm_json_u64(&v, &u))
			ranks = u;
		if (json_is(&key, "ranks", 5) && v.kind == JSON_ARRAY) {
			bool element = true, member = true;

			if (!find_ranks(t, c)) {
				tm_diag_oom(d);
				return TM_ST_FATAL;
			}
			if (tm_json_element(&c, &element) &&
			    tm_json_value(&c).kind == JSON_OBJECT &&
			    tm_json_member(&c, &member, &key) && json_is(&key, "rank", 4)) {
				v = tm_json_value(&c);
				r->has_rank = processes > 1 && ranks == 1 && tm_json_u64(&v, &rank);
				if (r->has_rank)
					r->rank = rank;
			}
			return TM_ST_OK;
		}
		if (v.kind == JSON_NONE || !tm_json_skip_rest(&c, v.kind))
			return TM_ST_OK;
		if (json_is(&key, "unit_repr", 9) && v.kind == JSON_STRING && v.n &&
		    !tm_sys_unit(&probe, (const char *)v.p, v.n)) {
			tm_diag_set(d, 0, "table of %.*s in %.*s: no times, not read",
			            (int)metric.n, metric.p, (int)v.n, v.p);
			return TM_ST_SKIP;
		}
	}
	return TM_ST_OK;
}

static enum tm_status sys_open(struct tm_reader *r, struct tm_diag *d)
{
	struct sys_json *t = r->priv;
	enum tm_status st;
	size_t bom;

	t->rows.out.b.kind = TM_EV_STAT;
	r->producer = "rocprof-sys or omnitrace";
	if (read_all(r, d) != TM_ST_OK)
		return TM_ST_FATAL;
	bom = t->in.n >= 3 && !memcmp(t->in.p, "\xef\xbb\xbf", 3) ? 3 : 0;
	t->c = (struct json) { .p = (unsigned char *)t->in.p + bom,
		               .end = (unsigned char *)t->in.p + t->in.n,
		               .last = true };
	st = look(r, d);
	if (st == TM_ST_OK && t->nranks > 1 && !make_origins(r)) {
		tm_diag_oom(d);
		st = TM_ST_FATAL;
	}
	if (st != TM_ST_OK)
		return st;
	if (tm_json_value(&t->c).kind == JSON_OBJECT) {
		enter(t, P_TOP);
		return TM_ST_OK;
	}
	if (t->broken)
		*d = t->why;
	else
		tm_diag_set(d, 0, "not a table of rocprof-sys: it does not begin with an object");
	return TM_ST_FATAL;
}

/* Of which rank the rows at hand are. */
static struct tm_origin *origin_at_hand(const struct sys_json *t)
{
	size_t i = t->of_rows ? t->of_rows - 1 : 0;

	return &t->origin[i < t->nranks ? i : t->nranks - 1];
}

/* What was lost since the last time is lost to the rank at hand. */
static void settle(struct tm_reader *r)
{
	struct sys_json *t = r->priv;

	if (!r->norigins || t->added)
		return;
	tm_loss_add(&origin_at_hand(t)->loss, &r->loss, 0);
	r->loss = (struct tm_loss) { 0 };
}

static enum tm_status sys_next(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct sys_json *t = r->priv;
	enum tm_status st;

	while (!t->dead && tm_ev_rows_n(&t->rows.out) < TM_BATCH_ROWS &&
	       (!tm_ev_rows_n(&t->rows.out) || t->of_rows == t->element)) {
		/* What is lost from here on is this one's. */
		if (t->of_rows != t->element) {
			settle(r);
			t->of_rows = t->element;
		}
		if (!step(r)) {
			stopped(r);
			break;
		}
	}
	if (!tm_ev_rows_n(&t->rows.out) && !t->dead && !t->any) {
		t->dead = true;
		tm_diag_set(&t->why, 0,
		            "no rows: a tree of rocprof-sys (give the file without .tree), or not "
		            "a table");
	}
	st = tm_ev_rows_next(&t->rows.out, 1, &r->names, t->dead ? &t->why : NULL, b, d);
	if (!r->norigins)
		return st;
	if (st == TM_ST_OK)
		r->origin = origin_at_hand(t);
	settle(r);
	if (st != TM_ST_OK && !t->added) {
		t->added = true;
		for (size_t i = 0; i < r->norigins; i++)
			tm_loss_add(&r->loss, &t->origin[i].loss, 0);
	}
	return st;
}

static void sys_close(struct tm_reader *r)
{
	struct sys_json *t = r->priv;

	tm_sys_fini(&t->rows);
	for (size_t i = 0; i < t->nranks; i++)
		free(t->ranks[i].path);
	free(t->ranks);
	free(t->origin);
	tm_buf_fini(&t->in);
	tm_buf_fini(&t->unit);
	tm_buf_fini(&t->label);
}

const struct tm_reader_ops tm_reader_rocprofsys_json = {
	.name = "rocprofsys-json",
	.about = "tables of rocprof-sys and omnitrace as JSON (wall_clock.json and its like)",
	.bid = sys_bid,
	.priv_size = sizeof(struct sys_json),
	.open = sys_open,
	.next = sys_next,
	.close = sys_close,
};
