/* SPDX-License-Identifier: MIT
 * How was the time of each agent used?
 *
 *     compute + exposed_comm + exposed_copy + idle = window        exact (docs/metrics.md)
 *
 * Blind to what was not traced: without copies in the input, copying is idle time. */
#include "metric/work.h"

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
	COL_N,
};

static const struct column columns[] = {
	[COL_RANK] = { "rank", "RANK", "process of the job", UNIT_ID },
	[COL_AGENT] = { "agent", "AGENT", "agent as the producer numbers it", UNIT_TEXT },
	[COL_WINDOW] = { "window_ns", "WINDOW",
	                 "from the first start to the last end of GPU work, or what -w says",
	                 UNIT_NS },
	[COL_BUSY] = { "busy_ns", "BUSY", "something ran", UNIT_NS, .spare = 3 },
	[COL_COMPUTE] = { "compute_ns", "COMPUTE", "a kernel ran that is not communication",
	                  UNIT_NS },
	[COL_EXPOSED_COMM] = { "exposed_comm_ns", "+COMM", "only communication kernels ran",
	                       UNIT_NS },
	[COL_EXPOSED_COPY] = { "exposed_copy_ns", "+COPY", "only copies and fills ran", UNIT_NS },
	[COL_IDLE] = { "idle_ns", "+IDLE", "nothing ran", UNIT_NS },
	[COL_BUSY_PCT] = { "busy_pct", "BUSY%", "busy_ns / window_ns", UNIT_PCT, .bar = true },
	[COL_IDLE_PCT] = { "idle_pct", "IDLE%", "idle_ns / window_ns", UNIT_PCT, .spare = 8 },
	[COL_COMM] = { "comm_ns", "COMM", "communication kernels ran, hidden or not", UNIT_NS,
	               .spare = 6 },
	[COL_OVERLAP] = { "overlap_comm_pct", "HIDDEN",
	                  "share of comm_ns during which other kernels ran", UNIT_PCT, .spare = 4 },
	[COL_COPY] = { "copy_ns", "COPY", "copies and fills ran, hidden or not", UNIT_NS,
	               .spare = 7 },
	[COL_KERNELS] = { "kernels", "KERNELS", "kernels that start inside the window",
	                  UNIT_COUNT },
	[COL_SHORT] = { "short_kernels", "SHORT", "of those, shorter than --short", UNIT_COUNT,
	                .spare = 5 },
	[COL_SHORT_PCT] = { "short_pct", "SHORT%", "their share of the sum of kernel durations",
	                    UNIT_PCT, .spare = 2 },
	[COL_CONC_AVG] = { "concurrency_avg", "CONC", "operations at a time while busy, on average",
	                   UNIT_RATIO, .spare = 1 },
	[COL_CONC_MAX] = { "concurrency_max", "MAX", "operations at a time, at most", UNIT_COUNT,
	                   .spare = 9 },
	[COL_N] = { 0 },
};

static bool init(void *acc, const void *arg)
{
	return work_init(acc, arg, 0);
}

static uint64_t want(const struct metric_opts *o)
{
	(void)o;
	return work_want(0);
}

/* Kernels that start inside the window, and how long they took in all. */
struct kernels {
	uint64_t n, nshort;
	u128 total, total_short;
};

static struct kernels count(const struct work_track *t, uint64_t short_ns)
{
	struct kernels k = { 0 };

	for (int kind = WORK_KERNEL; kind <= WORK_COMM; kind++) {
		const struct intervals *s = &t->op[kind];

		for (size_t i = 0; i < s->n; i++) {
			uint64_t ns = interval_dur(s, i);

			if (!work_starts_inside(t, s->v[i].start))
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

static bool fill_row(const struct work_track *w, const struct metric_opts *o, struct table *t)
{
	const struct work_use u = work_use_of(w);
	const struct kernels k = count(w, o->short_ns);
	const struct pieces all = work_pieces(w, WORK_EVERY);
	struct concurrency c;
	struct cell *cell = table_row(t);

	if (!cell || !pieces_concurrency(&all, &c))
		return false;
	cell[COL_RANK] = cell_u64(w->rank);
	cell[COL_AGENT] = work_agent_cell(t, w->has_agent, w->agent);
	cell[COL_WINDOW] = cell_u64(u.window);
	cell[COL_BUSY] = cell_u64(u.busy);
	cell[COL_COMPUTE] = cell_u64(u.compute);
	cell[COL_EXPOSED_COMM] = cell_u64(u.exposed_comm);
	cell[COL_EXPOSED_COPY] = cell_u64(u.exposed_copy);
	cell[COL_IDLE] = cell_u64(u.idle);
	cell[COL_BUSY_PCT] = work_pct(u.busy, u.window);
	cell[COL_IDLE_PCT] = work_pct(u.idle, u.window);
	cell[COL_COMM] = cell_u64(u.comm);
	cell[COL_OVERLAP] = work_pct(u.comm - u.exposed_comm, u.comm);
	cell[COL_COPY] = cell_u64(u.copy);
	cell[COL_KERNELS] = cell_u64(k.n);
	cell[COL_SHORT] = cell_u64(k.nshort);
	cell[COL_SHORT_PCT] = work_pct(k.total_short, k.total);
	cell[COL_CONC_AVG] = u.busy ? cell_ratio(0, c.total, u.busy) : cell_none();
	cell[COL_CONC_MAX] = cell_u64(c.max);
	return true;
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	struct work *w = acc;

	table_init_list(t, columns);
	if (!work_settle(w))
		return ST_FATAL;
	for (size_t i = 0; i < w->ntrack; i++)
		if (!fill_row(&w->track[i], o, t))
			return ST_FATAL;
	if (!t->nrows) {
		work_explain_nothing(w, "kernels or copies", rep);
		return ST_END;
	}
	work_tell(w, rep);
	if (!w->seen[DOMAIN_COPY])
		report_add(rep, SEV_NOTE, NULL, 0,
		           "no copies in the input: time in which only copies ran counts as idle");
	return ST_OK;
}

static const struct metric_view views[] = { { .columns = columns }, { 0 } };
static const char *const options[] = { "short", NULL };

const struct metric metric_timeline = {
	.name = "timeline",
	.about = "how was the time used: computing, communicating, copying, idle",
	.views = views,
	.options = options,
	.sink = { .size = sizeof(struct work),
	          .init = init,
	          .piece = work_piece,
	          .take = work_take,
	          .merge = work_merge,
	          .fini = work_fini },
	.want = want,
	.fill = fill,
};
