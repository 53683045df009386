/* SPDX-License-Identifier: MIT
 * Every event as a row: the accumulator is the rows rendered and not yet written. */
#include "events/events_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITE_AT = 256 * 1024 };

struct cat {
	const struct tm_metric_opts *o;
	struct tm_events *e;
	struct event_rows rows;
	struct tm_buf out; /* rows, or the row at hand when they are sorted */
	struct sorter sorter;
	bool headed; /* the header is in `out` or written; only of the total */

	struct tm_piece piece;
	struct tm_extent window;
	bool unplaced;                              /* its rank has no window */
	const struct event_name **name[NAME_SORTS]; /* by id of the piece */
	size_t name_cap[NAME_SORTS];
	uint32_t nname;

	uint64_t put[TM_EVENT_KINDS];
	uint64_t seen[TM_EV_NKINDS];
	uint64_t other_kind, outside, untimed;
	uint64_t misplaced; /* of `outside`: of a rank that has no window */
	uint64_t unknown;   /* rows of kernels of unknown class */
};

struct tm_events *tm_events_new(struct tm_event_form form, unsigned kinds, bool sort,
                                event_put_fn *put, void *arg)
{
	struct tm_events *e = calloc(1, sizeof *e);

	if (!e)
		return NULL;
	*e = (struct tm_events) {
		.form = form, .kinds = kinds, .sort = sort, .put = put, .arg = arg
	};
	e->spool.fd = -1;
	tm_events_limit(e, TM_EVENTS_RUN, TM_EVENTS_KEEP);
	pthread_mutex_init(&e->lock, NULL);
	pthread_mutex_init(&e->spool.lock, NULL);
	return e;
}

void tm_events_limit(struct tm_events *e, size_t run, size_t keep)
{
	e->spool.run = run;
	e->spool.keep = keep;
}

const struct tm_diag *tm_events_why(const struct tm_events *e)
{
	return &e->spool.why;
}

const bool *tm_events_written(const struct tm_events *e)
{
	return &e->written;
}

void tm_events_free(struct tm_events *e)
{
	if (!e)
		return;
	for (int i = 0; i < NAME_SORTS; i++) {
		for (uint32_t k = 0; k < e->names[i].raw.n; k++)
			free(e->names[i].v[k]);
		free(e->names[i].v);
		tm_names_fini(&e->names[i].raw);
	}
	if (e->spool.fd >= 0)
		close(e->spool.fd);
	pthread_mutex_destroy(&e->lock);
	pthread_mutex_destroy(&e->spool.lock);
	free(e);
}

static tm_ev_set cat_want(const struct tm_metric_opts *o)
{
	struct event_rows rows;

	tm_event_rows_init(&rows, o->own, o->columns, o->ncolumns);
	return tm_event_rows_want(&rows);
}

static bool cat_init(void *acc, const void *arg)
{
	struct cat *c = acc;

	*c = (struct cat) { .o = arg };
	c->e = c->o->own;
	tm_event_rows_init(&c->rows, c->e, c->o->columns, c->o->ncolumns);
	return true;
}

static void cat_fini(void *acc)
{
	struct cat *c = acc;

	for (int i = 0; i < NAME_SORTS; i++)
		free(c->name[i]);
	tm_event_rows_fini(&c->rows);
	tm_buf_fini(&c->out);
	tm_sorter_fini(&c->sorter);
}

static bool cat_piece(void *acc, const struct tm_piece *p)
{
	struct cat *c = acc;

	c->piece = *p;
	c->unplaced = !tm_metric_window(c->o, p->id.rank, &c->window);
	c->nname = 0;
	return true;
}

/* The piece has more names now: the new ones are not known yet. */
static bool know_names(struct cat *c, uint32_t n)
{
	for (int i = 0; i < NAME_SORTS && n > c->nname; i++) {
		if (!tm_grow_array(&c->name[i], &c->name_cap[i], n,
		                   sizeof(const struct event_name *)))
			return false;
		for (uint32_t k = c->nname; k < n; k++)
			c->name[i][k] = NULL;
	}
	if (n > c->nname)
		c->nname = n;
	return true;
}

/* NULL when out of memory. */
static const struct event_name *name_of(struct cat *c, enum name_sort sort,
                                        const struct tm_batch *b, uint64_t id)
{
	const struct event_name **at = &c->name[sort][id];

	if (!*at)
		*at = tm_event_name(c->e, sort, &b->names->v[id], c->o->classes);
	return *at;
}

static enum tm_event_kind kind_of(enum tm_ev_kind kind, enum tm_domain domain)
{
	switch (kind) {
	case TM_EV_COPY:
		return TM_EVENT_COPY;
	case TM_EV_API:
		return domain == TM_DOMAIN_MARKER ? TM_EVENT_MARKER : TM_EVENT_API;
	case TM_EV_ALLOC:
		return TM_EVENT_ALLOC;
	case TM_EV_COUNTER:
		return TM_EVENT_COUNTER;
	case TM_EV_DISPATCH:
	case TM_EV_SAMPLE:
	case TM_EV_STAT:
	case TM_EV_AGENT:
	case TM_EV_ROLLUP:
	case TM_EV_STATE:
	case TM_EV_NKINDS:
		break;
	}
	return TM_EVENT_KERNEL;
}

static bool sort_row(struct cat *c, const struct tm_batch *b, uint32_t i,
                     const struct event_texts *t)
{
	struct sort_key k = { .rank = c->piece.id.rank,
		              .kind = (uint32_t)t->kind,
		              .untimed = !tm_batch_has(b, i, TM_EVC_START) };

	if (!k.untimed)
		k.start = b->col[TM_EVC_START][i];
	if (t->name)
		k.name = t->name->text;
	if (!tm_sorter_add(&c->sorter, &c->e->spool, &k, c->out.p, c->out.n))
		return false;
	tm_buf_clear(&c->out);
	return true;
}

/* In the window?  A row without a time is in no window. */
static bool inside(struct cat *c, const struct tm_batch *b, uint32_t i)
{
	if (!c->o->windowed)
		return true;
	if (!tm_batch_has(b, i, TM_EVC_START)) {
		c->untimed++;
		return false;
	}
	if (b->col[TM_EVC_START][i] >= c->window.lo && b->col[TM_EVC_START][i] < c->window.hi)
		return true;
	c->outside++;
	c->misplaced += c->unplaced;
	return false;
}

static bool cat_take(void *acc, const struct tm_batch *b)
{
	struct cat *c = acc;
	const uint64_t *name = b->some & TM_EV_BIT(TM_EVC_NAME) ? b->col[TM_EVC_NAME] : NULL;
	bool counters = b->some & TM_EV_BIT(TM_EVC_COUNTER),
	     comms = b->some & TM_EV_BIT(TM_EVC_COMM);
	enum name_sort sort = b->kind == TM_EV_DISPATCH || b->kind == TM_EV_COUNTER ? NAME_IS_KERNEL
	                      : b->kind == TM_EV_COPY                               ? NAME_IS_COPY
	                                                                            : NAME_IS_OTHER;

	c->seen[b->kind] += b->n;
	if (b->kind == TM_EV_SAMPLE || b->kind == TM_EV_STAT || b->kind == TM_EV_AGENT ||
	    b->kind == TM_EV_ROLLUP || b->kind == TM_EV_STATE)
		return true;
	if (!know_names(c, b->names->n) || !tm_event_rows_plan(&c->rows, b, c->piece.id.rank))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		struct event_texts t = { .domain = tm_batch_domain(b, i) };

		t.kind = kind_of(b->kind, t.domain);
		if (!(c->e->kinds & 1u << t.kind)) {
			c->other_kind++;
			continue;
		}
		if (!inside(c, b, i))
			continue;
		if (name && tm_batch_has(b, i, TM_EVC_NAME) &&
		    !(t.name = name_of(c, sort, b, name[i])))
			return false;
		if (counters && tm_batch_has(b, i, TM_EVC_COUNTER) &&
		    !(t.counter = name_of(c, NAME_IS_OTHER, b, b->col[TM_EVC_COUNTER][i])))
			return false;
		if (comms && tm_batch_has(b, i, TM_EVC_COMM) &&
		    !(t.comm = name_of(c, NAME_IS_OTHER, b, b->col[TM_EVC_COMM][i])))
			return false;
		c->put[t.kind]++;
		c->unknown += t.name && t.name->unknown;
		if (!tm_event_rows_put(&c->rows, &c->out, b, i, &t) ||
		    (c->e->sort && !sort_row(c, b, i, &t)))
			return false;
	}
	return true;
}

static size_t cat_held(const void *acc)
{
	const struct cat *c = acc;

	return c->e->sort ? 0 : c->out.n;
}

/* Only the total writes, and only one thread at a time has the total. */
static bool write_out(struct cat *c, const struct tm_buf *b)
{
	return !b->n || c->e->put(c->e->arg, b->p, b->n, &c->e->spool.why);
}

/* What is in `out` goes out. */
static bool flush(struct cat *c)
{
	bool ok = !c->out.failed && write_out(c, &c->out);

	tm_buf_clear(&c->out);
	return ok;
}

static bool head(struct cat *c)
{
	if (c->headed)
		return true;
	c->headed = true;
	return tm_event_rows_header(&c->rows, &c->out);
}

static bool cat_merge(void *into, void *acc)
{
	struct cat *c = into, *from = acc;

	for (int i = 0; i < TM_EVENT_KINDS; i++)
		c->put[i] += from->put[i];
	for (int i = 0; i < TM_EV_NKINDS; i++)
		c->seen[i] += from->seen[i];
	c->other_kind += from->other_kind;
	c->outside += from->outside;
	c->misplaced += from->misplaced;
	c->untimed += from->untimed;
	c->unknown += from->unknown;
	memset(from->put, 0, sizeof from->put);
	memset(from->seen, 0, sizeof from->seen);
	from->other_kind = from->outside = from->untimed = from->unknown = from->misplaced = 0;
	if (c->e->sort)
		return tm_sorter_merge(&c->sorter, &c->e->spool, &from->sorter);
	if (!from->out.n)
		return true;
	if (!head(c))
		return false;
	if (c->out.n + from->out.n < WRITE_AT)
		return tm_buf_add(&c->out, from->out.p, from->out.n) &&
		       (tm_buf_clear(&from->out), true);
	if (!flush(c) || !write_out(c, &from->out))
		return false;
	tm_buf_clear(&from->out);
	return true;
}

static bool put_sorted(void *arg, const void *p, size_t n)
{
	struct cat *c = arg;

	return tm_buf_add(&c->out, p, n) && (c->out.n < WRITE_AT || flush(c));
}

static enum tm_status cat_fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                               struct tm_report *rep)
{
	struct cat *c = acc;
	uint64_t rows = 0;

	tm_table_init(t, NULL, 0);
	for (int i = 0; i < TM_EVENT_KINDS; i++)
		rows += c->put[i];
	if (!head(c) || (c->e->sort && !tm_sorter_drain(&c->sorter, &c->e->spool, put_sorted, c)) ||
	    !flush(c))
		return TM_ST_FATAL;
	c->e->written = rows > 0;
	tm_report_no_events(rep, c->seen);
	if (c->untimed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " event%s without a time excluded from the window",
		              c->untimed, c->untimed == 1 ? "" : "s");
	if (c->misplaced)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " row%s skipped: the window of the rank is unknown",
		              c->misplaced, c->misplaced == 1 ? "" : "s");
	if (o->strict && c->unknown)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "%" PRIu64 " row%s of kernels of unknown class; --classes adds rules",
		              c->unknown, c->unknown == 1 ? "" : "s");
	if (rows)
		return TM_ST_OK;
	if (c->outside)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no event starts in the window; %" PRIu64 " outside", c->outside);
	else if (c->other_kind)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no event of these kinds; %" PRIu64 " of others", c->other_kind);
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no events in the input");
	return TM_ST_END;
}

static const struct tm_metric_view views[] = { { .columns = tm_event_heads }, { 0 } };

const struct tm_metric tm_events_metric = {
	.name = "events",
	.about = "every event as a row",
	.views = views,
	.clock = TM_DRIVE_COMMON,
	.sink = { .size = sizeof(struct cat),
	          .init = cat_init,
	          .piece = cat_piece,
	          .take = cat_take,
	          .merge = cat_merge,
	          .held = cat_held,
	          .fini = cat_fini },
	.want = cat_want,
	.fill = cat_fill,
};
