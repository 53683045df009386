/* SPDX-License-Identifier: MIT
 * How do the processes of a job differ?
 *
 * A rank's agents are taken together: a moment is busy when any of them works. */
#include "metric/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_RANK,
	COL_HOST,
	COL_PID,
	COL_AGENTS,
	COL_WINDOW,
	COL_BUSY,
	COL_COMPUTE,
	COL_EXPOSED_COMM,
	COL_IDLE,
	COL_SYNC,
	COL_CLOCK,
	COL_CLOCK_ERROR,
	COL_WAIT,
	COL_MOVE,
	COL_N,
};

static const struct column columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = UNIT_ID },
	[COL_HOST] = { .name = "host",
	               .title = "HOST",
	               .about = "machine it ran on",
	               .local = true,
	               .unit = UNIT_TEXT },
	[COL_PID] = { .name = "pid",
	              .title = "PID",
	              .about = "process id",
	              .local = true,
	              .unit = UNIT_ID },
	[COL_AGENTS] = { .name = "agents",
	                 .title = "AGENTS",
	                 .about = "agents it used",
	                 .unit = UNIT_COUNT },
	[COL_WINDOW] = { .name = "window_ns",
	                 .title = "WINDOW",
	                 .about = "from the first start to the last end of GPU work, or -w",
	                 .unit = UNIT_NS },
	[COL_BUSY] = { .name = "busy_ns",
	               .title = "BUSY",
	               .about = "something ran",
	               .unit = UNIT_NS,
	               .bar = true },
	[COL_COMPUTE] = { .name = "compute_ns",
	                  .title = "COMPUTE",
	                  .about = "a compute kernel ran",
	                  .unit = UNIT_NS },
	[COL_EXPOSED_COMM] = { .name = "exposed_comm_ns",
	                       .title = "+COMM",
	                       .about = "a communication kernel ran, but no compute kernel",
	                       .unit = UNIT_NS },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "IDLE",
	               .about = "nothing ran",
	               .unit = UNIT_NS },
	[COL_SYNC] = { .name = "sync_ns",
	               .title = "SYNC",
	               .about = "inside the window, a host thread waited for the GPU",
	               .unit = UNIT_NS },
	[COL_CLOCK] = { .name = "clock",
	                .title = "CLOCK",
	                .about = "what its times count",
	                .unit = UNIT_TEXT,
	                .spare = 2 },
	[COL_CLOCK_ERROR] = { .name = "clock_error_ns",
	                      .title = "ERROR",
	                      .about = "how far it may be off that of the other ranks",
	                      .unit = UNIT_NS,
	                      .spare = 1 },
	[COL_WAIT] = { .name = "wait_ns",
	               .title = "+WAIT",
	               .about = "only kernels of class sync (waiting) ran",
	               .unit = UNIT_NS,
	               .spare = 3 },
	[COL_MOVE] = { .name = "move_ns",
	               .title = "+MOVE",
	               .about = "a kernel of class memory (copy, fill) ran, but no compute or "
	                        "communication",
	               .unit = UNIT_NS,
	               .spare = 4 },
	[COL_N] = { 0 },
};

/* What is compared over ranks. */
static const int measures[] = { COL_WINDOW, COL_BUSY, COL_COMPUTE, COL_EXPOSED_COMM,
	                        COL_IDLE,   COL_SYNC, COL_WAIT,    COL_MOVE };

enum { IMB_METRIC, IMB_MIN, IMB_MEDIAN, IMB_MEAN, IMB_MAX, IMB_RATIO, IMB_ARGMAX, IMB_N };

static const struct column imbalance_columns[] = {
	[IMB_METRIC] = { .name = "metric",
	                 .title = "METRIC",
	                 .about = "column of the usual table",
	                 .unit = UNIT_TEXT },
	[IMB_MIN] = { .name = "min",
	              .title = "MIN",
	              .about = "least of all ranks",
	              .unit = UNIT_NS },
	[IMB_MEDIAN] = { .name = "median",
	                 .title = "MEDIAN",
	                 .about = "median of all ranks",
	                 .unit = UNIT_NS },
	[IMB_MEAN] = { .name = "mean", .title = "MEAN", .about = "sum / ranks", .unit = UNIT_NS },
	[IMB_MAX] = { .name = "max",
	              .title = "MAX",
	              .about = "most of all ranks",
	              .unit = UNIT_NS },
	[IMB_RATIO] = { .name = "max_over_mean",
	                .title = "MAX/MEAN",
	                .about = "1 = all ranks alike",
	                .unit = UNIT_RATIO },
	[IMB_ARGMAX] = { .name = "argmax_rank",
	                 .title = "RANK",
	                 .about = "the rank with the most; absent where several have it",
	                 .unit = UNIT_ID },
	[IMB_N] = { 0 },
};

static bool is_view(const struct metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

static bool init(void *acc, const void *arg)
{
	bool match = is_view(arg, "collectives");

	return ranks_init(acc, arg, match ? COLLECTIVE_KEEP : WORK_WAITS, match);
}

static ev_set want(const struct metric_opts *o)
{
	bool match = is_view(o, "collectives");

	return ranks_want(match ? COLLECTIVE_KEEP : WORK_WAITS, match);
}

/* ---- rows ---- */

static bool add_row(const struct ranks *r, const struct work_rank *w, bool one_clock,
                    struct table *t)
{
	const struct name *clock = ranks_clock(r, w->rank);
	const struct rank_facts *f = ranks_facts(r, w->rank);
	struct cell *c = table_row(t);
	uint64_t agents = 0;

	if (!c)
		return false;
	for (size_t i = 0; i < w->ntrack; i++)
		agents += w->track[i].has_agent;
	c[COL_RANK] = cell_u64(w->rank);
	if (f && f->host != NAME_NONE)
		c[COL_HOST] = cell_text(r->w.names.v[f->host].text, r->w.names.v[f->host].len);
	if (f && f->has_pid)
		c[COL_PID] = cell_u64(f->pid);
	if (agents)
		c[COL_AGENTS] = cell_u64(agents);
	if (w->ntrack) {
		const struct work_use u = work_rank_use(w, w->window);

		c[COL_WINDOW] = cell_u64(u.window);
		c[COL_BUSY] = cell_u64(u.busy);
		c[COL_COMPUTE] = cell_u64(u.compute);
		c[COL_EXPOSED_COMM] = cell_u64(u.exposed_comm);
		c[COL_IDLE] = cell_u64(u.idle);
		c[COL_WAIT] = cell_u64(u.wait);
		c[COL_MOVE] = cell_u64(u.move);
	}
	if (w->has_calls)
		c[COL_SYNC] = cell_u64(work_rank_waited(w, w->ntrack ? w->window : w->asked));
	if (clock)
		c[COL_CLOCK] = cell_text(clock->text, clock->len);
	if (f && f->timed && (f->has_error || one_clock))
		c[COL_CLOCK_ERROR] = cell_u64(f->has_error ? f->error : 0);
	return true;
}

static enum status fill_ranks(struct ranks *r, struct table *t, struct report *rep)
{
	size_t track = 0, thread = 0;
	struct work_rank_notes notes = { 0 };
	bool one_clock = ranks_one_clock(r);
	struct work_rank w;

	table_init_list(t, columns);
	if (!work_settle(&r->w))
		return ST_FATAL;
	while (work_rank_next(&w, &r->w, &track, &thread)) {
		bool ok = work_rank_unite(&w, &r->w) && add_row(r, &w, one_clock, t);

		work_rank_note(&w, &notes);
		work_rank_fini(&w);
		if (!ok)
			return ST_FATAL;
	}
	if (!t->nrows) {
		work_explain_nothing(&r->w, "kernels, copies or API calls", rep);
		return ST_END;
	}
	work_tell(&r->w, rep);
	work_rank_tell(&notes, rep);
	return ST_OK;
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* One measure over the ranks that have it; v is room for as many numbers as there are ranks. */
static bool add_measure(const struct table *ranks, size_t col, uint64_t *v, struct table *t)
{
	struct cell *c = table_row(t);
	uint64_t most = 0, argmax = 0, having = 0;
	u128 sum = 0;
	size_t n = 0;

	if (!c)
		return false;
	c[IMB_METRIC] = cell_text(columns[col].name, strlen(columns[col].name));
	for (size_t i = 0; i < ranks->nrows; i++) {
		const struct cell *one = ranks->cells + i * ranks->ncols;

		if (one[col].type != CELL_U64)
			continue;
		if (!n || one[col].v.u > most) {
			most = one[col].v.u;
			argmax = one[COL_RANK].v.u;
			having = 0;
		}
		having += one[col].v.u == most;
		v[n++] = one[col].v.u;
		sum += one[col].v.u;
	}
	if (!n)
		return true;
	qsort(v, n, sizeof *v, by_value);
	c[IMB_MIN] = cell_u64(v[0]);
	c[IMB_MEDIAN] = cell_u64(v[(n - 1) / 2]);
	c[IMB_MEAN] = cell_ratio((uint64_t)(sum >> 64), (uint64_t)sum, n);
	c[IMB_MAX] = cell_u64(most);
	if (!(sum >> 64)) {
		u128 scaled = (u128)most * n;

		c[IMB_RATIO] = cell_ratio((uint64_t)(scaled >> 64), (uint64_t)scaled,
		                          (uint64_t)sum);
	}
	if (having == 1)
		c[IMB_ARGMAX] = cell_u64(argmax);
	return true;
}

static enum status fill_imbalance(struct ranks *r, struct table *t, struct report *rep)
{
	struct table ranks = { 0 };
	enum status st = fill_ranks(r, &ranks, rep);
	uint64_t *v = calloc(ranks.nrows + 1, sizeof *v);

	table_init_list(t, imbalance_columns);
	if (!v)
		st = ST_FATAL;
	for (size_t i = 0; st == ST_OK && i < sizeof measures / sizeof *measures; i++)
		if (!add_measure(&ranks, (size_t)measures[i], v, t))
			st = ST_FATAL;
	if (st == ST_OK && ranks.nrows == 1)
		report_add(rep, SEV_NOTE, NULL, 0,
		           "only one rank: nothing to compare (use RANK=FILE or --rank-from to "
		           "number ranks)");
	free(v);
	table_fini(&ranks);
	return st;
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	if (is_view(o, "imbalance"))
		return fill_imbalance(acc, t, rep);
	if (is_view(o, "collectives"))
		return fill_collectives(acc, t, rep);
	return fill_ranks(acc, t, rep);
}

static const struct metric_view views[] = {
	{ .columns = columns },
	{ .option = "imbalance",
	  .about = "a row for each measure instead: least, most, and the rank that has it",
	  .columns = imbalance_columns },
	{ .option = "collectives",
	  .about = "a row for each collective instead: who came last, who waited",
	  .columns = collective_columns },
	{ 0 },
};
static const char *const options[] = { NULL };

const struct metric metric_ranks = {
	.name = "ranks",
	.about = "busy, communication and idle time of each rank, and their spread",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats ranks run.db\n"
	            "kstats ranks --imbalance traces/\n",
	.views = views,
	.options = options,
	.window = WINDOW_WHOLE,
	.sink = RANKS_SINK(init),
	.want = want,
	.fill = fill,
};
