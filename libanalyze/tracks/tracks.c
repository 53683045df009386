/* SPDX-License-Identifier: MIT
 * The picture as a metric: rows are gathered, and drawn at the end. */
#include "read/read.h"
#include "tracks/tracks_parts.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

enum { KEEP = TM_GAPS_KEEP | TM_STEPS_KEEP };

struct tracks {
	struct ranks r; /* first: what the tables are made of */
	struct track_store s;
	struct track_take take;
	struct tm_agents agents;
	struct held *held;
};

/* What the question about memory gathers, with options of its own. */
struct held {
	struct tm_metric_opts o;
	_Alignas(max_align_t) unsigned char acc[];
};

static const struct tm_event_sink *memory_sink(void)
{
	return &tm_metric_find("memory")->sink;
}

static struct tm_metric_opts memory_opts(const struct tm_metric_opts *o)
{
	struct tm_metric_opts own = *o;

	own.own = NULL;
	own.view = NULL;
	return own;
}

static struct held *held_new(const struct tm_metric_opts *o)
{
	struct held *h = calloc(1, sizeof *h + memory_sink()->size);

	if (!h)
		return NULL;
	h->o = memory_opts(o);
	if (memory_sink()->init(h->acc, &h->o))
		return h;
	free(h);
	return NULL;
}

static bool init(void *acc, const void *arg)
{
	struct tracks *t = acc;
	const struct tm_metric_opts *o = arg;

	t->s = (struct track_store) { .tracks = { .words = KEY_WORDS } };
	t->take = (struct track_take) { .asked = o->own, .o = o };
	t->agents = (struct tm_agents) { 0 };
	if (!tm_ranks_init(acc, o, KEEP, true))
		return false;
	t->held = held_new(o);
	if (!t->held)
		tm_ranks_fini(acc);
	return t->held != NULL;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	tm_ev_set cols = TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_DOMAIN) |
	                 TM_EV_BIT(TM_EVC_START) | TM_EV_BIT(TM_EVC_END) | TM_EV_BIT(TM_EVC_CORR) |
	                 TM_EV_BIT(TM_EVC_COUNTER) | TM_EV_BIT(TM_EVC_VALUE);
	const struct tm_metric_opts own = memory_opts(o);

	for (unsigned a = 0; tm_track_cols[a] != TM_EVC_N; a++)
		cols |= TM_EV_BIT(tm_track_cols[a]);
	return cols | tm_ranks_want(KEEP, true) | tm_agents_want() | tm_drawn_agent_columns() |
	       tm_metric_find("memory")->want(&own);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct tracks *t = acc;

	if (!tm_ranks_piece(acc, p) || !memory_sink()->piece(t->held->acc, p))
		return false;
	tm_whose_piece(&t->s.whose, p);
	t->take.rank = p->id.rank;
	t->take.static_lds = tm_reader_static_lds(p->id.format, p->id.producer);
	t->take.line = t->r.now.has_line ? t->r.now.line : (struct tm_clock_line) { 0 };
	t->take.nknown = 0;
	if (!tm_metric_window(t->take.o, p->id.rank, &t->take.window))
		t->take.window = (struct tm_extent) { 1, 0 };
	return true;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct tracks *t = acc;

	return tm_agents_take(&t->agents, t->take.rank, b) && tm_track_take(&t->s, &t->take, b) &&
	       memory_sink()->take(t->held->acc, b) && tm_ranks_take(acc, b);
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct tracks *t = acc;

	return tm_ranks_done(acc, p, l, why) && tm_track_lose(&t->s, p->id.rank, l, !why);
}

static bool merge(void *into, void *from)
{
	struct tracks *t = into, *f = from;

	return tm_agents_merge(&t->agents, &f->agents) && tm_track_merge(&t->s, &f->s) &&
	       memory_sink()->merge(t->held->acc, f->held->acc) && tm_ranks_merge(into, from);
}

static void fini(void *acc)
{
	struct tracks *t = acc;

	free(t->take.known);
	tm_track_store_fini(&t->s);
	tm_agents_fini(&t->agents);
	memory_sink()->fini(t->held->acc);
	free(t->held);
	tm_ranks_fini(acc);
}

/* ---- what it takes to stay inside the budget ---- */

/* A level, less what was not asked for anyway. */
static struct track_level level_of(const struct tm_tracks *asked, unsigned n)
{
	struct track_level l = tm_track_level(n);

	l.no_flows |= asked->no_flows;
	l.args = asked->args > l.args ? asked->args : l.args;
	return l;
}

/* The lowest level whose bytes are not above the budget; TRACK_LEVELS = there is none. */
static bool find_level(const struct track_drawing *d, unsigned *level, uint64_t *least)
{
	unsigned lo = 0, hi = TRACK_LEVELS;

	while (lo < hi) {
		const unsigned mid = lo ? lo + (hi - lo) / 2 : 0;
		const struct track_level l = level_of(d->asked, mid);
		struct track_left left;
		uint64_t bytes;

		if (!tm_track_draw(d, &l, true, &bytes, &left))
			return false;
		if (bytes <= d->asked->budget) {
			hi = mid;
		} else {
			lo = mid + 1;
			*least = bytes;
		}
	}
	*level = lo;
	return true;
}

/* What was not asked for is not omitted. */
static void tell_left(const struct tm_tracks *asked, const struct track_level *l,
                      const struct track_left *left, struct tm_report *rep)
{
	const bool arrows = l->no_flows && !asked->no_flows, args = l->args > asked->args;

	if (arrows || args)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0, "--budget: omitted %s%s%s",
		              arrows ? "arrows" : "", arrows && args ? " and " : "",
		              args ? "the arguments of slices" : "");
	if (left->calls)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "--budget: omitted %" PRIu64
		              " host calls and markers shorter than %" PRIu64 " us",
		              left->calls, l->host_ns / 1000);
	if (left->ops)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "--budget: merged %" PRIu64
		              " kernels and copies shorter than %" PRIu64 " us into %" PRIu64,
		              left->ops, l->device_ns / 1000, left->merges);
	if (left->values + left->own_values)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "--budget: omitted %" PRIu64
		              " values of counters, all but the smallest and the largest in each "
		              "%" PRIu64 " ms",
		              left->values + left->own_values, l->value_ns / 1000000);
	if (left->states)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "--budget: merged %" PRIu64
		              " busy and idle times of GPUs shorter than %" PRIu64
		              " us into %" PRIu64,
		              left->states, l->device_ns / 1000, left->state_merges);
}

static void tell(const struct track_store *s, struct tm_report *rep)
{
	tm_report_no_events(rep, s->no_events);
	if (s->untimed)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " event%s without a start and an end cannot be drawn",
		              s->untimed, s->untimed == 1 ? "" : "s");
	if (s->of_dispatch)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "%" PRIu64 " counter%s of single dispatches %s not drawn",
		              s->of_dispatch, s->of_dispatch == 1 ? "" : "s",
		              s->of_dispatch == 1 ? "is" : "are");
}

static enum tm_status nothing(const struct track_store *s, struct tm_report *rep)
{
	tell(s, rep);
	if (s->outside)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no event starts in the window; %" PRIu64 " outside", s->outside);
	else if (s->other_kind)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no event of these kinds; %" PRIu64 " of others", s->other_kind);
	else if (s->untimed || s->of_dispatch)
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "no event can be drawn; %" PRIu64 " skipped",
		              s->untimed + s->of_dispatch);
	else
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0, "no events in the input");
	return TM_ST_END;
}

/* Is all that agents did there?  Of a part of it nobody knows when they were idle. */
static bool is_whole(const struct tm_metric_opts *o, struct tm_report *rep)
{
	if (!o->only || !(o->only->by & TM_WHOLE_AGENTS))
		return true;
	tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
	              "the filters select only part of the agents' work: states, busy agents, "
	              "waiting operations, bytes held and inferred steps are not drawn");
	return false;
}

/* Is every launch there, and all that was launched?  What waits in a window may have been launched
 * before it. */
static bool has_launches(const struct tm_metric_opts *o, const struct tm_tracks *asked)
{
	const unsigned kinds = 1u << TM_EVENT_KERNEL | 1u << TM_EVENT_COPY | 1u << TM_EVENT_API;

	return !o->windowed && (asked->kinds & kinds) == kinds;
}

static enum tm_status draw(const struct track_drawing *d, struct tm_report *rep)
{
	struct tm_tracks *asked = d->asked;
	struct track_left left;
	uint64_t bytes, least = 0;
	struct track_level l;
	unsigned level = 0;

	if (asked->budget != UINT64_MAX && !find_level(d, &level, &least))
		return TM_ST_FATAL;
	if (level == TRACK_LEVELS) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "--budget: at least %" PRIu64
		              " bytes are needed; select less with -w, --rank or --kind",
		              least);
		return TM_ST_END;
	}
	l = level_of(asked, level);
	if (!tm_track_draw(d, &l, false, &bytes, &left))
		return TM_ST_FATAL;
	asked->written = true;
	if (level)
		tell_left(asked, &l, &left, rep);
	return TM_ST_OK;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *tab,
                           struct tm_report *rep)
{
	struct tracks *t = acc;
	struct track_members members = { 0 };
	struct track_order order = { 0 };
	struct track_links links = { 0 };
	const struct track_drawing d = { .s = &t->s,
		                         .order = &order,
		                         .links = &links,
		                         .ranks = &t->r,
		                         .agents = &t->agents,
		                         .o = o,
		                         .asked = o->own };
	enum tm_status st = TM_ST_FATAL;
	bool whole, launches;

	tm_table_init(tab, NULL, 0);
	if (!t->s.events)
		return nothing(&t->s, rep);
	whole = is_whole(o, rep);
	launches = has_launches(o, o->own);
	if (tm_track_derive(&t->s, &t->r, o->own, whole, &members, rep) &&
	    (!whole || tm_track_held(&t->s, &t->r, t->held->acc)) &&
	    tm_track_link(&links, &t->s, &members, whole && launches) &&
	    tm_track_sort(&order, &t->s)) {
		if (whole && !launches && links.waits)
			tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
			              "-w or --kind selects only part of the launches: waiting "
			              "operations are not drawn");
		st = draw(&d, rep);
		tell(&t->s, rep);
	}
	free(members.v);
	tm_track_links_fini(&links);
	tm_track_order_fini(&order);
	return st;
}

static const struct tm_column no_columns[] = { { 0 } };
static const struct tm_metric_view views[] = { { .columns = no_columns }, { 0 } };

const struct tm_metric tm_tracks_metric = {
	.name = "tracks",
	.about = "one picture of all ranks",
	.views = views,
	.sink = { .size = sizeof(struct tracks),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini,
	          .done = done },
	.want = want,
	.fill = fill,
};
