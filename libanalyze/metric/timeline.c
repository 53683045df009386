/* SPDX-License-Identifier: MIT
 * How was the time of each agent used?
 *
 *     compute + wait + move + exposed_comm + exposed_copy + idle = window    exact
 *     (docs/metrics.md)
 *
 * Blind to what was not traced: without copies in the input, copying is idle time. */
#include "metric/timeline.h"

#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_AGENT,
	COL_WINDOW,
	COL_BUSY,
	COL_COMPUTE,
	COL_EXPOSED_COMM,
	COL_EXPOSED_COPY,
	COL_IDLE,
	COL_BUSY_PCT,
	COL_IDLE_PCT,
	COL_COMM,
	COL_OVERLAP,
	COL_COPY,
	COL_KERNELS,
	COL_SHORT,
	COL_SHORT_PCT,
	COL_CONC_AVG,
	COL_CONC_MAX,
	COL_WAIT,
	COL_MOVE,
	COL_BEFORE,
	COL_BEFORE_PCT,
	COL_LATER_COPY,
	COL_N,
};

static const struct tm_column columns[] = {
	[COL_RANK] = { TM_COLUMN_RANK },
	[COL_AGENT] = { .name = "agent",
	                .title = "AGENT",
	                .unit = TM_UNIT_TEXT,
	                .about = "agent as the producer numbers it" },
	/* The parts add up to it. */
	[COL_WINDOW] = { TM_COLUMN_WINDOW, .tight = 1 },
	[COL_BUSY] = { TM_COLUMN_BUSY, .spare = 3 },
	[COL_COMPUTE] = { TM_COLUMN_COMPUTE },
	[COL_EXPOSED_COMM] = { TM_COLUMN_EXPOSED_COMM },
	[COL_EXPOSED_COPY] = { TM_COLUMN_EXPOSED_COPY },
	[COL_IDLE] = { TM_COLUMN_IDLE },
	[COL_BUSY_PCT] = { .name = "busy_pct",
	                   .title = "BUSY%",
	                   .unit = TM_UNIT_PCT,
	                   .bar = true,
	                   .about = "busy_ns / window_ns" },
	[COL_IDLE_PCT] = { .name = "idle_pct",
	                   .title = "IDLE%",
	                   .unit = TM_UNIT_PCT,
	                   .spare = 8,
	                   .about = "idle_ns / window_ns" },
	[COL_COMM] = { .name = "comm_ns",
	               .title = "COMM",
	               .unit = TM_UNIT_NS,
	               .spare = 6,
	               .about = "a communication kernel ran, hidden or not" },
	[COL_OVERLAP] = { .name = "overlap_comm_pct",
	                  .title = "HIDDEN",
	                  .unit = TM_UNIT_PCT,
	                  .spare = 1,
	                  .about = "share of comm_ns during which compute ran too" },
	[COL_COPY] = { .name = "copy_ns",
	               .title = "COPY",
	               .unit = TM_UNIT_NS,
	               .spare = 7,
	               .about = "a copy or fill ran, hidden or not" },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .unit = TM_UNIT_COUNT,
	                  .tight = 2,
	                  .about = "kernels that start inside the window" },
	[COL_SHORT] = { .name = "short_kernels",
	                .title = "SHORT",
	                .unit = TM_UNIT_COUNT,
	                .spare = 5,
	                .about = "those shorter than --short" },
	[COL_SHORT_PCT] = { .name = "short_pct",
	                    .title = "SHORT%",
	                    .unit = TM_UNIT_PCT,
	                    .spare = 4,
	                    .about = "their share of the sum of kernel durations" },
	[COL_CONC_AVG] = { .name = "concurrency_avg",
	                   .title = "CONC",
	                   .unit = TM_UNIT_RATIO,
	                   .spare = 2,
	                   .about = "mean number of concurrent operations while busy" },
	[COL_CONC_MAX] = { .name = "concurrency_max",
	                   .title = "MAX",
	                   .unit = TM_UNIT_COUNT,
	                   .spare = 9,
	                   .about = "most operations at a time" },
	[COL_WAIT] = { TM_COLUMN_WAIT },
	[COL_MOVE] = { TM_COLUMN_MOVE },
	[COL_BEFORE] = { .name = "before_ns",
	                 .title = "BEFORE",
	                 .unit = TM_UNIT_NS,
	                 .machine = true,
	                 .about = "before the first kernel that computes or communicates" },
	[COL_BEFORE_PCT] = { .name = "before_pct",
	                     .title = "BEFORE%",
	                     .unit = TM_UNIT_PCT,
	                     .machine = true,
	                     .about = "before_ns / window_ns" },
	[COL_LATER_COPY] = { .name = "later_copy_ns",
	                     .title = "LATER COPY",
	                     .unit = TM_UNIT_NS,
	                     .machine = true,
	                     .about = "part of exposed_copy_ns after that" },
	[COL_N] = { .name = NULL },
};

static bool init(void *acc, const void *arg)
{
	return tm_work_init(acc, arg, 0);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_work_want(0);
}

struct own {
	uint64_t short_us, bins;
};

enum { BINS = 100, BINS_LEAST = 10, BINS_BESIDE = 19 };

/* --bins, or else as many as fit the line. */
static uint64_t bins_of(const struct tm_metric_opts *o)
{
	const struct own *own = o->own;

	if (own->bins != UINT64_MAX)
		return own->bins;
	if (!o->width)
		return BINS;
	return o->width < BINS_LEAST + BINS_BESIDE ? BINS_LEAST : o->width - BINS_BESIDE;
}

static const struct tm_metric_option options[] = {
	{ .name = "short",
	  TM_METRIC_TO_U64(struct own, short_us),
	  .view = "",
	  .arg = "US",
	  .max = UINT64_MAX / 1000,
	  .about = "count kernels shorter than US microseconds as short",
	  .dflt = "10" },
	{ .name = "bins",
	  TM_METRIC_TO_U64(struct own, bins),
	  .view = "chart",
	  .arg = "N",
	  .min = 1,
	  .max = 1000000,
	  .about = "with --chart: split time into N parts (default: fit the line; 100 in machine "
	           "formats)" },
	{ 0 },
};

void *tm_timeline_own(uint64_t bins)
{
	struct own *own = calloc(1, sizeof *own);

	if (own)
		*own = (struct own) { .bins = bins };
	return own;
}

/* Kernels that start inside the window, and how long they took in all. */
struct kernels {
	uint64_t n, nshort;
	tm_u128 total, total_short;
};

static struct kernels count(const struct tm_work_track *t, uint64_t short_ns)
{
	struct kernels k = { 0 };

	for (int kind = 0; kind < TM_WORK_DISPATCHES; kind++) {
		const struct tm_intervals *s = &t->op[kind];

		for (size_t i = 0; i < s->n; i++) {
			uint64_t ns = tm_interval_dur(s, i);

			if (!tm_work_starts_inside(t, tm_interval_start(s, i)))
				continue;
			k.n++;
			k.total += ns;
			if (ns < short_ns) {
				k.nshort++;
				k.total_short += ns;
			}
		}
	}
	return k;
}

/* The part of the window before the first kernel that computes or communicates, if there is one: a
 * program that runs once loads its data once. */
static struct tm_extent before_kernels(const struct tm_work_track *t)
{
	const uint64_t first = tm_work_first_kernel(t);
	struct tm_extent before = t->window;

	before.hi = first < before.hi ? first : before.hi;
	if (first == UINT64_MAX || before.hi < before.lo)
		before.hi = before.lo;
	return before;
}

static uint64_t copies_in(const struct tm_work_track *t, struct tm_extent window)
{
	struct tm_work_track part = *t;

	part.window = window;
	return window.lo < window.hi ? tm_work_use_of(&part, 1).exposed_copy : 0;
}

static bool fill_row(const struct tm_work_track *w, const struct tm_metric_opts *o,
                     struct tm_table *t)
{
	const struct tm_work_use u = tm_work_use_of(w, 1);
	const struct own *own = o->own;
	const struct kernels k = count(w, own->short_us * 1000);
	const struct tm_extent before = before_kernels(w);
	const uint64_t first = u.exposed_copy ? copies_in(w, before) : 0;
	const struct tm_pieces all = tm_work_pieces(w, TM_WORK_EVERY);
	struct tm_concurrency c;
	struct tm_cell *cell = tm_table_row(t);

	if (!cell || !tm_pieces_concurrency(&all, &c))
		return false;
	cell[COL_RANK] = tm_cell_u64(w->rank);
	cell[COL_AGENT] = tm_work_agent_cell(t, w->has_agent, w->agent);
	cell[COL_WINDOW] = tm_cell_u64(u.window);
	cell[COL_BUSY] = tm_cell_u64(u.busy);
	cell[COL_COMPUTE] = tm_cell_u64(u.compute);
	cell[COL_EXPOSED_COMM] = tm_cell_u64(u.exposed_comm);
	cell[COL_EXPOSED_COPY] = tm_cell_u64(u.exposed_copy);
	cell[COL_IDLE] = tm_cell_u64(u.idle);
	cell[COL_BUSY_PCT] = tm_work_pct(u.busy, u.window);
	cell[COL_IDLE_PCT] = tm_work_pct(u.idle, u.window);
	cell[COL_COMM] = tm_cell_u64(u.comm);
	cell[COL_OVERLAP] = tm_work_pct(u.comm - u.exposed_comm, u.comm);
	cell[COL_COPY] = tm_cell_u64(u.copy);
	cell[COL_KERNELS] = tm_cell_u64(k.n);
	cell[COL_SHORT] = tm_cell_u64(k.nshort);
	cell[COL_SHORT_PCT] = tm_work_pct(k.total_short, k.total);
	cell[COL_CONC_AVG] = u.busy ? tm_cell_ratio((uint64_t)(c.total >> 64), (uint64_t)c.total,
	                                            u.busy)
	                            : tm_cell_none();
	cell[COL_CONC_MAX] = tm_cell_u64(c.max);
	cell[COL_WAIT] = tm_cell_u64(u.wait);
	cell[COL_MOVE] = tm_cell_u64(u.move);
	cell[COL_BEFORE] = tm_cell_u64(before.hi - before.lo);
	cell[COL_BEFORE_PCT] = tm_work_pct(before.hi - before.lo, u.window);
	cell[COL_LATER_COPY] = tm_cell_u64(u.exposed_copy - first);
	return true;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct tm_work *w = acc;
	const bool chart = o->view && !strcmp(o->view, "chart");

	if (!tm_work_settle(w))
		return TM_ST_FATAL;
	if (!chart)
		tm_table_init_list(t, columns);
	else if (!tm_timeline_chart(w, bins_of(o), t, rep))
		return TM_ST_FATAL;
	for (size_t i = 0; !chart && i < w->ntrack; i++)
		if (!fill_row(&w->track[i], o, t))
			return TM_ST_FATAL;
	if (!chart && (!tm_state_rows(o->state, t) || !tm_work_state(w, o->state)))
		return TM_ST_FATAL;
	if (chart && !t->nrows && w->ntrack) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to draw: the window of each agent has length 0");
		return TM_ST_END;
	}
	if (!t->nrows) {
		tm_work_explain_nothing(w, "kernels or copies", rep);
		return TM_ST_END;
	}
	tm_work_tell(w, rep);
	if (!w->seen[TM_DOMAIN_COPY])
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "no copies %s: time in which only copies ran counts as idle",
		              tm_metric_where(w->o, false));
	return TM_ST_OK;
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "chart",
	  .about = "strips over time instead, one part of it per column",
	  .columns = tm_timeline_chart_columns,
	  .whole = true },
	{ 0 },
};

const struct tm_metric tm_metric_timeline = {
	.name = "timeline",
	.about = "how the time was used: compute, communication, copies, idle",
	.group = "Where does the time go?",
	.examples = "kstats timeline --chart results.db\n"
	            "kstats timeline -w 10%..90% run.pftrace\n",
	.views = views,
	.options = options,
	.own = sizeof(struct own),
	.window = TM_WINDOW_WHOLE,
	.state = 2,
	.sink = { .size = sizeof(struct tm_work),
	          .init = init,
	          .piece = tm_work_piece,
	          .take = tm_work_take,
	          .merge = tm_work_merge,
	          .fini = tm_work_fini },
	.work = tm_work_itself,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
