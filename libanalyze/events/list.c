/* SPDX-License-Identifier: MIT
 * Every event as a row: the accumulator is the rows rendered and not yet written. */
#include "events/events_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITE_AT = 256 * 1024 };

struct cat {
	const struct metric_opts *o;
	struct events *e;
	struct event_rows rows;
	struct buf out; /* rows, or the row at hand when they are sorted */
	struct sorter sorter;
	bool headed; /* the header is in `out` or written; only of the total */

	struct piece piece;
	struct extent window;
	bool unplaced;                              /* its rank has no window */
	const struct event_name **name[NAME_SORTS]; /* by id of the piece */
	size_t name_cap[NAME_SORTS];
	uint32_t nname;

	uint64_t put[EVENT_KINDS];
	uint64_t seen[EV_NKINDS];
	uint64_t other_kind, outside, untimed;
	uint64_t misplaced; /* of `outside`: of a rank that has no window */
	uint64_t unknown;   /* rows of kernels of unknown class */
};

struct events *events_new(struct event_form form, unsigned kinds, bool sort, event_put_fn *put,
                          void *arg)
{
	struct events *e = calloc(1, sizeof *e);

	if (!e)
		return NULL;
	*e = (struct events) { .form = form, .kinds = kinds, .sort = sort, .put = put, .arg = arg };
	e->spool.fd = -1;
	events_limit(e, EVENTS_RUN, EVENTS_KEEP);
	pthread_mutex_init(&e->lock, NULL);
	pthread_mutex_init(&e->spool.lock, NULL);
	return e;
}

void events_limit(struct events *e, size_t run, size_t keep)
{
	e->spool.run = run;
	e->spool.keep = keep;
}

const struct diag *events_why(const struct events *e)
{
	return &e->spool.why;
}

bool events_written(const struct events *e)
{
	return e->written;
}

void events_free(struct events *e)
{
	if (!e)
		return;
	for (int i = 0; i < NAME_SORTS; i++) {
		for (uint32_t k = 0; k < e->names[i].raw.n; k++)
			free(e->names[i].v[k]);
		free(e->names[i].v);
		names_fini(&e->names[i].raw);
	}
	if (e->spool.fd >= 0)
		close(e->spool.fd);
	pthread_mutex_destroy(&e->lock);
	pthread_mutex_destroy(&e->spool.lock);
	free(e);
}

static ev_set cat_want(const struct metric_opts *o)
{
	struct event_rows rows;

	event_rows_init(&rows, o->own, o->columns, o->ncolumns);
	return event_rows_want(&rows);
}

static bool cat_init(void *acc, const void *arg)
{
	struct cat *c = acc;

	*c = (struct cat) { .o = arg };
	c->e = c->o->own;
	event_rows_init(&c->rows, c->e, c->o->columns, c->o->ncolumns);
	return true;
}

static void cat_fini(void *acc)
{
	struct cat *c = acc;

	for (int i = 0; i < NAME_SORTS; i++)
		free(c->name[i]);
	event_rows_fini(&c->rows);
	buf_fini(&c->out);
	sorter_fini(&c->sorter);
}

static bool cat_piece(void *acc, const struct piece *p)
{
	struct cat *c = acc;

	c->piece = *p;
	c->unplaced = !metric_window(c->o, p->rank, &c->window);
	c->nname = 0;
	return true;
}

/* The piece has more names now: the new ones are not known yet. */
static bool know_names(struct cat *c, uint32_t n)
{
	for (int i = 0; i < NAME_SORTS && n > c->nname; i++) {
		if (!grow_array(&c->name[i], &c->name_cap[i], n, sizeof(const struct event_name *)))
			return false;
		for (uint32_t k = c->nname; k < n; k++)
			c->name[i][k] = NULL;
	}
	if (n > c->nname)
		c->nname = n;
	return true;
}

/* NULL when out of memory. */
static const struct event_name *name_of(struct cat *c, enum name_sort sort, const struct batch *b,
                                        uint64_t id)
{
	const struct event_name **at = &c->name[sort][id];

	if (!*at)
		*at = event_name(c->e, sort, &b->names->v[id], c->o->classes);
	return *at;
}

static enum event_kind kind_of(enum ev_kind kind, enum domain domain)
{
	switch (kind) {
	case EV_COPY:
		return EVENT_COPY;
	case EV_API:
		return domain == DOMAIN_MARKER ? EVENT_MARKER : EVENT_API;
	case EV_ALLOC:
		return EVENT_ALLOC;
	case EV_COUNTER:
		return EVENT_COUNTER;
	case EV_DISPATCH:
	case EV_SAMPLE:
	case EV_STAT:
	case EV_AGENT:
	case EV_ROLLUP:
	case EV_NKINDS:
		break;
	}
	return EVENT_KERNEL;
}

static bool sort_row(struct cat *c, const struct batch *b, uint32_t i, const struct event_texts *t)
{
	struct sort_key k = { .rank = c->piece.rank,
		              .kind = (uint32_t)t->kind,
		              .untimed = !batch_has(b, i, EVC_START) };

	if (!k.untimed)
		k.start = b->col[EVC_START][i];
	if (t->name)
		k.name = t->name->text;
	if (!sorter_add(&c->sorter, &c->e->spool, &k, c->out.p, c->out.n))
		return false;
	buf_clear(&c->out);
	return true;
}

/* In the window?  A row without a time is in no window. */
static bool inside(struct cat *c, const struct batch *b, uint32_t i)
{
	if (!c->o->windowed)
		return true;
	if (!batch_has(b, i, EVC_START)) {
		c->untimed++;
		return false;
	}
	if (b->col[EVC_START][i] >= c->window.lo && b->col[EVC_START][i] < c->window.hi)
		return true;
	c->outside++;
	c->misplaced += c->unplaced;
	return false;
}

static bool cat_take(void *acc, const struct batch *b)
{
	struct cat *c = acc;
	const uint64_t *name = b->some & EV_BIT(EVC_NAME) ? b->col[EVC_NAME] : NULL;
	bool counters = b->some & EV_BIT(EVC_COUNTER), comms = b->some & EV_BIT(EVC_COMM);
	enum name_sort sort = b->kind == EV_DISPATCH || b->kind == EV_COUNTER ? NAME_IS_KERNEL
	                      : b->kind == EV_COPY                            ? NAME_IS_COPY
	                                                                      : NAME_IS_OTHER;

	c->seen[b->kind] += b->n;
	if (b->kind == EV_SAMPLE || b->kind == EV_STAT || b->kind == EV_AGENT ||
	    b->kind == EV_ROLLUP)
		return true;
	if (!know_names(c, b->names->n) || !event_rows_plan(&c->rows, b, c->piece.rank))
		return false;
	for (uint32_t i = 0; i < b->n; i++) {
		struct event_texts t = { .domain = ev_kind_domain(b->kind) };

		if (batch_has(b, i, EVC_DOMAIN))
			t.domain = (enum domain)b->col[EVC_DOMAIN][i];
		t.kind = kind_of(b->kind, t.domain);
		if (!(c->e->kinds & 1u << t.kind)) {
			c->other_kind++;
			continue;
		}
		if (!inside(c, b, i))
			continue;
		if (name && batch_has(b, i, EVC_NAME) && !(t.name = name_of(c, sort, b, name[i])))
			return false;
		if (counters && batch_has(b, i, EVC_COUNTER) &&
		    !(t.counter = name_of(c, NAME_IS_OTHER, b, b->col[EVC_COUNTER][i])))
			return false;
		if (comms && batch_has(b, i, EVC_COMM) &&
		    !(t.comm = name_of(c, NAME_IS_OTHER, b, b->col[EVC_COMM][i])))
			return false;
		c->put[t.kind]++;
		c->unknown += t.name && t.name->unknown;
		if (!event_rows_put(&c->rows, &c->out, b, i, &t) ||
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
static bool write_out(struct cat *c, const struct buf *b)
{
	return !b->n || c->e->put(c->e->arg, b->p, b->n, &c->e->spool.why);
}

/* What is in `out` goes out. */
static bool flush(struct cat *c)
{
	bool ok = !c->out.failed && write_out(c, &c->out);

	buf_clear(&c->out);
	return ok;
}

static bool head(struct cat *c)
{
	if (c->headed)
		return true;
	c->headed = true;
	return event_rows_header(&c->rows, &c->out);
}

static bool cat_merge(void *into, void *acc)
{
	struct cat *c = into, *from = acc;

	for (int i = 0; i < EVENT_KINDS; i++)
		c->put[i] += from->put[i];
	for (int i = 0; i < EV_NKINDS; i++)
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
		return sorter_merge(&c->sorter, &c->e->spool, &from->sorter);
	if (!from->out.n)
		return true;
	if (!head(c))
		return false;
	if (c->out.n + from->out.n < WRITE_AT)
		return buf_add(&c->out, from->out.p, from->out.n) && (buf_clear(&from->out), true);
	if (!flush(c) || !write_out(c, &from->out))
		return false;
	buf_clear(&from->out);
	return true;
}

static bool put_sorted(void *arg, const void *p, size_t n)
{
	struct cat *c = arg;

	return buf_add(&c->out, p, n) && (c->out.n < WRITE_AT || flush(c));
}

/* What was read and is no event, by kind. */
static void tell_others(const struct cat *c, struct report *rep)
{
	static const enum ev_kind others[] = { EV_STAT, EV_AGENT, EV_SAMPLE, EV_ROLLUP };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (c->seen[others[i]])
			buf_fmt(&b, "%s%" PRIu64 " %s", b.n ? ", " : "", c->seen[others[i]],
			        ev_kind_text(others[i], c->seen[others[i]] != 1));
	if (b.n && !b.failed)
		report_add(rep, SEV_NOTE, NULL, 0, "skipped, because they are not events: %s", b.p);
	buf_fini(&b);
}

static enum status cat_fill(void *acc, const struct metric_opts *o, struct table *t,
                            struct report *rep)
{
	struct cat *c = acc;
	uint64_t rows = 0;

	table_init(t, NULL, 0);
	for (int i = 0; i < EVENT_KINDS; i++)
		rows += c->put[i];
	if (!head(c) || (c->e->sort && !sorter_drain(&c->sorter, &c->e->spool, put_sorted, c)) ||
	    !flush(c))
		return ST_FATAL;
	c->e->written = rows > 0;
	tell_others(c, rep);
	if (c->untimed)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "%" PRIu64 " event%s without a time excluded from the window",
		           c->untimed, c->untimed == 1 ? "" : "s");
	if (c->misplaced)
		report_add(rep, SEV_ERROR, NULL, 0,
		           "%" PRIu64 " rows skipped: the window of their rank is unknown",
		           c->misplaced);
	if (o->strict && c->unknown)
		report_add(rep, SEV_ERROR, NULL, 0,
		           "%" PRIu64 " row%s of kernels of unknown class; --classes adds rules",
		           c->unknown, c->unknown == 1 ? "" : "s");
	if (rows)
		return ST_OK;
	if (c->outside)
		report_add(rep, SEV_ERROR, NULL, 0,
		           "no event starts in the window; %" PRIu64 " outside", c->outside);
	else if (c->other_kind)
		report_add(rep, SEV_ERROR, NULL, 0,
		           "no event of these kinds; %" PRIu64 " of others", c->other_kind);
	else
		report_add(rep, SEV_ERROR, NULL, 0, "no events in the input");
	return ST_END;
}

static const struct metric_view views[] = { { .columns = event_heads }, { 0 } };

const struct metric events_metric = {
	.name = "events",
	.about = "every event as a row",
	.views = views,
	.by_itself = true,
	.clock = DRIVE_COMMON,
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
