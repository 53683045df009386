/* SPDX-License-Identifier: MIT
 * Trace events of any program: what Perfetto exports as JSON, what a script wrote, what nobody
 * else's reader knows.  Where an event has a category or an argument of AMD's profilers
 * (schemas/pftrace.def: such a trace went through Perfetto), it is what that says; else a range is
 * an API call of no domain known here, an instant is a mark, and a counter is samples over time.
 *
 * What tracemill wrote itself (read/drawn.h) begins with its processes, which are ranks.  Its
 * threads are lanes: the id of a thread is an argument. */
#include "read/json/chrome.h"

#include "base/base.h"
#include "read/drawn.h"

#include <inttypes.h>
#include <stdlib.h>

enum class { CLASS_KERNEL, CLASS_COPY, CLASS_API, CLASS_ALLOC, CLASS_MIXED, CLASS_OPS, CLASS_OURS };
enum how { HOW_NUMBER, HOW_AGENT, HOW_GPU, HOW_SIZE, HOW_TEXT, HOW_IGNORE };

static const struct category {
	const char *text;
	size_t n;
	enum class class;
	enum tm_domain domain;
} categories[] = {
#define CATEGORY(t, c, d, by) { t, sizeof(t) - 1, CLASS_##c, TM_DOMAIN_##d },
#include "schemas/pftrace.def"
};

static const struct annotation {
	const char *text;
	size_t n;
	enum tm_ev_col col;
	enum how how;
} annotations[] = {
#define ANNOTATION(t, c, h) { t, sizeof(t) - 1, c, HOW_##h },
#include "schemas/pftrace.def"
};

/* A process of a timeline of ours. */
struct rank {
	uint64_t pid;
	bool made_up;
};

struct chrome_json {
	struct chrome t; /* first */
	enum { AT_BEGIN, AT_HEAD, OF_OURS, OF_OTHERS } state;
	struct tm_drawn ranks;
	struct rank *rank; /* ranks.n of them */
	size_t cap;
	size_t at; /* whose events are read */
};

static bool is_ours(const struct chrome *t)
{
	return ((const struct chrome_json *)t)->state == OF_OURS;
}

/* "Agent 4", "GPU 0" or "4" at the beginning of a text. */
static bool agent_of(const struct json_item *v, enum tm_agent_numbering how, uint64_t *agent)
{
	static const struct {
		const char *word;
		enum tm_agent_numbering how;
	} words[] = { { "Agent ", TM_AGENT_NODE },
		      { "GPU ", TM_AGENT_GPU },
		      { "CPU ", TM_AGENT_CPU } };
	struct json_item n = *v;
	uint64_t u;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t len = strlen(words[i].word);

		if (v->kind == JSON_STRING && v->n > len && !memcmp(v->p, words[i].word, len)) {
			n.p += len;
			n.n -= len;
			how = words[i].how;
		}
	}
	if (!tm_json_u64(&n, &u) || u > UINT32_MAX)
		return false;
	*agent = tm_agent_pack(how, (uint32_t)u);
	return true;
}

/* "(64, 1, 1)", or a number: the product, or, of ours, three sizes. */
static void put_size(const struct chrome *t, struct tm_ev_row *row, enum tm_ev_col product,
                     const struct json_item *v)
{
	const enum tm_ev_col x = product == TM_EVC_WG ? TM_EVC_WG_X : TM_EVC_GRID_X;
	const unsigned char *p = v->p, *end = v->p + v->n;
	uint64_t u[3], all = 1;
	unsigned found = 0;

	while (p < end) {
		size_t n = 0;

		while (p + n < end && p[n] >= '0' && p[n] <= '9')
			n++;
		if (n && (found == 3 || !tm_num_u64(p, n, &u[found]) ||
		          __builtin_mul_overflow(all, u[found], &all)))
			return;
		found += n > 0;
		p += n ? n : 1;
	}
	if (found == 1 || (found == 3 && !is_ours(t)))
		tm_ev_put(row, product, all);
	for (unsigned i = 0; found == 3 && is_ours(t) && i < 3; i++)
		tm_ev_put(row, (enum tm_ev_col)(x + i), u[i]);
}

static bool put(struct chrome *t, struct tm_ev_row *row, const struct annotation *a,
                const struct json_item *v)
{
	uint64_t u;
	uint32_t id;

	switch (a->how) {
	case HOW_NUMBER:
		tm_chrome_put(row, a->col, v);
		return true;
	case HOW_AGENT:
	case HOW_GPU:
		if (agent_of(v, a->how == HOW_GPU ? TM_AGENT_GPU : TM_AGENT_NODE, &u))
			tm_ev_put(row, a->col, u);
		return true;
	case HOW_SIZE:
		put_size(t, row, a->col, v);
		return true;
	case HOW_TEXT:
		if (v->kind != JSON_STRING || !v->n)
			return true;
		if (!tm_chrome_intern(t, v, &id))
			return false;
		tm_ev_put(row, a->col, id);
		return true;
	default:
		return true;
	}
}

static bool read_args(struct chrome *t, const struct chrome_event *e, struct tm_ev_row *row)
{
	struct json c = chrome_args(e);
	struct json_item key, v;
	bool first = true;

	while (tm_json_member(&c, &first, &key)) {
		v = tm_json_value(&c);
		if (v.kind == JSON_OBJECT || v.kind == JSON_ARRAY) {
			tm_json_skip_rest(&c, v.kind);
			continue;
		}
		for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
			if (json_is(&key, annotations[i].text, annotations[i].n) &&
			    !put(t, row, &annotations[i], &v))
				return false;
	}
	return true;
}

static const struct category *category_of(const struct json_item *cat)
{
	static const struct category other = { "", 0, CLASS_API, TM_DOMAIN_OTHER };

	for (size_t i = 0; cat->kind == JSON_STRING && i < sizeof categories / sizeof *categories;
	     i++)
		if (json_is(cat, categories[i].text, categories[i].n) ||
		    (categories[i].class == CLASS_OURS && cat->n > categories[i].n &&
		     !memcmp(cat->p, categories[i].text, categories[i].n)))
			return &categories[i];
	return &other;
}

static bool take(struct chrome *t, const struct chrome_event *e, const struct category *cat)
{
	enum tm_ev_col col;
	bool instant = e->ph && strchr("iInR", e->ph), known = cat->n > 0, done, copy;
	struct tm_ev_row row, more = { .has = 0 };

	if (!tm_chrome_phase(t, e,
	                     instant && !known         ? TM_DOMAIN_MARKER
	                     : cat->class == CLASS_API ? cat->domain
	                                               : TM_DOMAIN_OTHER,
	                     &done))
		return false;
	if (done)
		return true;
	row.has = 0;
	if (!tm_chrome_times(t, e, &row))
		return true;
	if (!tm_chrome_name(t, e, &row))
		return false;
	if ((known || is_ours(t)) && e->args.kind == JSON_OBJECT && !read_args(t, e, &more))
		return false;
	/* The profiler's own times, where both are there, in place of those of the slice. */
	if ((more.has & TM_EV_BIT(TM_EVC_START)) && (more.has & TM_EV_BIT(TM_EVC_END)) &&
	    more.v[TM_EVC_START] <= more.v[TM_EVC_END] && !(more.v[TM_EVC_END] >> 63)) {
		row.v[TM_EVC_START] = more.v[TM_EVC_START];
		row.v[TM_EVC_END] = more.v[TM_EVC_END];
	}
	more.has &= ~(TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END));
	TM_EV_EACH(col, more.has)
	tm_ev_put(&row, col, more.v[col]);
	if (is_ours(t) && !(row.has & TM_EV_BIT(TM_EVC_PID)))
		tm_chrome_put(&row, TM_EVC_PID, &e->pid);
	copy = e->name.kind == JSON_STRING &&
	       tm_copy_direction((const char *)e->name.p, e->name.n) != NULL;
	switch (cat->class) {
	case CLASS_KERNEL:
		return tm_chrome_add(t, OUT_DISPATCH, &row);
	case CLASS_COPY:
		return tm_chrome_add(t, OUT_COPY, &row);
	case CLASS_MIXED:
		return tm_chrome_add(t, copy ? OUT_COPY : OUT_DISPATCH, &row);
	case CLASS_ALLOC:
		tm_ev_put(&row, TM_EVC_DOMAIN, cat->domain);
		return tm_chrome_add(t, OUT_ALLOC, &row);
	case CLASS_OURS:
	case CLASS_OPS:
		if (copy)
			return tm_chrome_add(t, OUT_COPY, &row);
		/* fall through */
	default:
		tm_ev_put(&row, TM_EVC_DOMAIN, cat->domain);
		if (!(row.has & TM_EV_BIT(TM_EVC_PID)))
			tm_chrome_put(&row, TM_EVC_PID, &e->pid);
		if (!(row.has & TM_EV_BIT(TM_EVC_TID)))
			tm_chrome_put(&row, TM_EVC_TID, &e->tid);
		return tm_chrome_add(t, OUT_API, &row);
	}
}

/* ---- timelines of ours ---- */

/* The text of an argument; "" where it has none.  False when out of memory. */
static bool arg_text(const struct chrome_event *e, const char *key, struct tm_buf *b)
{
	struct tm_buf copy = { 0 };
	struct json_item v;
	const char *p;
	size_t n;
	bool ok = true;

	tm_buf_clear(b);
	if (e->args.kind == JSON_OBJECT &&
	    tm_json_find((const char *)e->args.p, e->args.n, key, &copy, &v) &&
	    v.kind == JSON_STRING)
		ok = tm_json_text(&v, b, &p, &n) && (p == b->p || tm_buf_add(b, p, n));
	ok = ok && !copy.failed && tm_buf_add(b, "", 0);
	tm_buf_fini(&copy);
	return ok;
}

static bool is_meta(const struct chrome_event *e, const char *name)
{
	return e->ph == 'M' && json_is(&e->name, name, strlen(name));
}

static bool add_rank(struct chrome_json *f, const struct chrome_event *e)
{
	struct tm_buf name = { 0 }, about = { 0 };
	struct rank k = { 0 };
	bool is_rank = false;
	bool ok = arg_text(e, "name", &name) && arg_text(e, "about", &about) &&
	          tm_grow_array(&f->rank, &f->cap, f->ranks.n + 1, sizeof *f->rank) &&
	          tm_drawn_add(&f->ranks, f->t.r, name.p, name.n, about.p, about.n, &is_rank);

	if (ok && is_rank) {
		if (!tm_json_u64(&e->pid, &k.pid))
			k.pid = UINT64_MAX;
		k.made_up = tm_drawn_made_up_pid(about.p, about.n);
		f->rank[f->ranks.n - 1] = k;
	}
	tm_buf_fini(&name);
	tm_buf_fini(&about);
	return ok;
}

/* The events ahead of the first track.  *done: it was one. */
static bool read_head(struct chrome_json *f, const struct chrome_event *e, bool *done)
{
	struct tm_buf about = { 0 };
	bool ok = true;

	*done = true;
	if (f->state == AT_BEGIN) {
		if (is_meta(e, "process_name") && !(ok = arg_text(e, "about", &about)))
			return false;
		f->state = about.n == strlen(TM_DRAWN_MARK) &&
		                           !memcmp(about.p, TM_DRAWN_MARK, about.n)
		                   ? AT_HEAD
		                   : OF_OTHERS;
		*done = f->state == AT_HEAD;
		tm_buf_fini(&about);
		return true;
	}
	if (is_meta(e, "process_name"))
		return add_rank(f, e);
	if (is_meta(e, "process_sort_index"))
		return true;
	*done = false;
	f->state = OF_OURS;
	return tm_drawn_know(&f->ranks, f->t.r, &f->t.out[OUT_AGENT]);
}

/* Events of a rank begin where all of those before were given out.  False when out of memory. */
static bool find_rank(struct chrome_json *f, const struct chrome_event *e)
{
	struct chrome *t = &f->t;
	size_t i = f->at;
	uint64_t pid;
	bool has = tm_json_u64(&e->pid, &pid);

	while (has && i < f->ranks.n && f->rank[i].pid != pid)
		i++;
	if (!has || i >= f->ranks.n) {
		t->dead = true;
		tm_diag_set(&t->why, 0,
		            "a tracecat timeline with events out of order (rank by rank), at byte "
		            "%" PRIu64,
		            e->at);
	} else if (i != f->at && tm_ev_rows_any(t->out, CHROME_OUTS)) {
		t->holding = true;
	} else if (i != f->at) {
		f->at = i;
		return tm_drawn_next(&f->ranks, t->r, i, &t->out[OUT_AGENT]);
	}
	return true;
}

/* A counter: of which agent it is stands before its name. */
static bool take_counter(struct chrome *t, struct chrome_event *e)
{
	struct tm_ev_row more = { .has = 0 };
	uint64_t agent;
	size_t n;

	if (e->name.kind != JSON_STRING)
		return true;
	tm_chrome_put(&more, TM_EVC_PID, &e->pid);
	n = tm_drawn_counter((const char *)e->name.p, e->name.n, &agent);
	if (n)
		tm_ev_put(&more, TM_EVC_AGENT, agent);
	e->name.p += n;
	e->name.n -= n;
	return tm_chrome_sample(t, e, &more);
}

/* An event of a rank: what is drawn beside them is not one. */
static bool take_ours(struct chrome_json *f, const struct chrome_event *e,
                      const struct category *cat)
{
	static const struct json_item none = { .kind = JSON_NONE };
	struct chrome_event own = *e;

	if (e->ph != 'X' && e->ph != 'C')
		return true;
	if (!find_rank(f, e))
		return false;
	if (f->t.dead || f->t.holding)
		return true;
	own.tid = none;
	if (f->rank[f->at].made_up)
		own.pid = none;
	return e->ph == 'C' ? take_counter(&f->t, &own) : take(&f->t, &own, cat);
}

static bool event(struct chrome *t, const struct chrome_event *e)
{
	struct chrome_json *f = (struct chrome_json *)t;
	const struct category *cat = category_of(&e->cat);
	bool done = false;

	if (f->state <= AT_HEAD && !read_head(f, e, &done))
		return false;
	if (done || cat->class == CLASS_OURS)
		return true;
	return f->state == OF_OURS ? take_ours(f, e, cat) : take(t, e, cat);
}

/* Its ranks are known when it is open. */
static bool in_head(const struct chrome *t)
{
	return ((const struct chrome_json *)t)->state <= AT_HEAD;
}

static const struct chrome_dialect dialect = { .table = "trace events",
	                                       .event = event,
	                                       .head = in_head };

static unsigned bid(const unsigned char *p, size_t n, bool whole)
{
	(void)whole;
	return tm_chrome_bid(p, n);
}

static enum tm_status open_json(struct tm_reader *r, struct tm_diag *d)
{
	return tm_chrome_open(r, &dialect, d);
}

static enum tm_status next_json(struct tm_reader *r, const struct tm_batch **b, struct tm_diag *d)
{
	struct chrome_json *f = r->priv;
	enum tm_status st = tm_chrome_next(r, b, d);

	if (st != TM_ST_OK)
		tm_drawn_end(&f->ranks, r);
	return st;
}

static void close_json(struct tm_reader *r)
{
	struct chrome_json *f = r->priv;

	free(f->rank);
	tm_drawn_fini(&f->ranks);
	tm_chrome_close(r);
}

const struct tm_reader_ops tm_reader_chrome_json = {
	.name = "chrome-json",
	.about = "trace events as JSON (Chrome trace format) of any program, Perfetto's export",
	.bid = bid,
	.ranks = true,
	.priv_size = sizeof(struct chrome_json),
	.open = open_json,
	.next = next_json,
	.close = close_json,
};
