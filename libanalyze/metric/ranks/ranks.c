/* SPDX-License-Identifier: MIT
 * How do the processes of a job differ?
 *
 * A rank's agents are taken together: a moment is busy when any of them works. */
#include "metric/ranks/ranks.h"

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

static const struct tm_column columns[] = {
	[COL_RANK] = { TM_COLUMN_RANK },
	[COL_HOST] = { .name = "host",
	               .title = "HOST",
	               .about = "machine it ran on",
	               .local = true,
	               .unit = TM_UNIT_TEXT },
	[COL_PID] = { .name = "pid",
	              .title = "PID",
	              .about = "process id",
	              .local = true,
	              .unit = TM_UNIT_ID },
	[COL_AGENTS] = { .name = "agents",
	                 .title = "AGENTS",
	                 .about = "number of agents it used",
	                 .unit = TM_UNIT_COUNT },
	[COL_WINDOW] = { TM_COLUMN_WINDOW },
	[COL_BUSY] = { TM_COLUMN_BUSY, .bar = true },
	[COL_COMPUTE] = { TM_COLUMN_COMPUTE },
	[COL_EXPOSED_COMM] = { TM_COLUMN_EXPOSED_COMM },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "IDLE",
	               .about = "nothing ran",
	               .unit = TM_UNIT_NS },
	[COL_SYNC] = { .name = "sync_ns",
	               .title = "SYNC",
	               .about = "a host thread waited for the GPU, inside the window",
	               .unit = TM_UNIT_NS },
	[COL_CLOCK] = { .name = "clock",
	                .title = "CLOCK",
	                .about = "clock of its times",
	                .unit = TM_UNIT_TEXT,
	                .spare = 2 },
	[COL_CLOCK_ERROR] = { .name = "clock_error_ns",
	                      .title = "ERROR",
	                      .about = "maximum error relative to the clocks of other ranks",
	                      .unit = TM_UNIT_NS,
	                      .spare = 1 },
	[COL_WAIT] = { TM_COLUMN_WAIT, .spare = 3 },
	[COL_MOVE] = { TM_COLUMN_MOVE, .spare = 4 },
	[COL_N] = { 0 },
};

/* What is compared over ranks. */
static const int tm_measures[] = { COL_WINDOW, COL_BUSY, COL_COMPUTE, COL_EXPOSED_COMM,
	                           COL_IDLE,   COL_SYNC, COL_WAIT,    COL_MOVE };

enum { IMB_METRIC, IMB_MIN, IMB_MEDIAN, IMB_MEAN, IMB_MAX, IMB_RATIO, IMB_ARGMAX, IMB_OVER, IMB_N };

static const struct tm_column imbalance_columns[] = {
	[IMB_METRIC] = { .name = "metric",
	                 .title = "METRIC",
	                 .about = "column of the default table",
	                 .unit = TM_UNIT_TEXT },
	[IMB_MIN] = { .name = "min",
	              .title = "MIN",
	              .about = "smallest over all ranks",
	              .unit = TM_UNIT_NS },
	[IMB_MEDIAN] = { .name = "median",
	                 .title = "MEDIAN",
	                 .about = "median over all ranks",
	                 .unit = TM_UNIT_NS },
	[IMB_MEAN] = { .name = "mean",
	               .title = "MEAN",
	               .about = "sum / ranks",
	               .unit = TM_UNIT_NS },
	[IMB_MAX] = { .name = "max",
	              .title = "MAX",
	              .about = "largest over all ranks",
	              .unit = TM_UNIT_NS },
	[IMB_RATIO] = { .name = "max_over_mean",
	                .title = "MAX/MEAN",
	                .about = "1 = all ranks alike",
	                .unit = TM_UNIT_RATIO },
	[IMB_ARGMAX] = { .name = "argmax_rank",
	                 .title = "RANK",
	                 .about = "rank with the maximum; absent if several have it",
	                 .unit = TM_UNIT_ID },
	[IMB_OVER] = { .name = "over_mean_ns",
	               .title = "OVER MEAN",
	               .about = "max - mean: what that rank loses if all have as much",
	               .unit = TM_UNIT_NS,
	               .machine = true },
	[IMB_N] = { 0 },
};

static bool is_view(const struct tm_metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

static bool init(void *acc, const void *arg)
{
	bool match = is_view(arg, "collectives");

	return tm_ranks_init(acc, arg, match ? COLLECTIVE_KEEP : TM_WORK_WAITS, match);
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	bool match = is_view(o, "collectives");

	return tm_ranks_want(match ? COLLECTIVE_KEEP : TM_WORK_WAITS, match);
}

/* ---- rows ---- */

static bool add_row(const struct ranks *r, struct tm_work_rank *w, struct tm_table *t)
{
	const struct tm_name *clock = tm_ranks_clock(r, w->rank);
	const struct rank_facts *f = tm_ranks_facts(r, w->rank);
	struct tm_cell *c = tm_table_row(t);
	uint64_t agents = 0, waited;
	struct tm_work_use u;

	if (!c || !tm_work_rank_whole(w, &r->w, &u, &waited))
		return false;
	for (size_t i = 0; i < w->ntrack; i++)
		agents += w->track[i].has_agent;
	c[COL_RANK] = tm_cell_u64(w->rank);
	if (f && f->host != TM_NAME_NONE)
		c[COL_HOST] = tm_cell_text(r->names.v[f->host].text, r->names.v[f->host].len);
	if (f && f->has_pid)
		c[COL_PID] = tm_cell_u64(f->pid);
	if (agents)
		c[COL_AGENTS] = tm_cell_u64(agents);
	if (w->ntrack) {
		c[COL_WINDOW] = tm_cell_u64(u.window);
		c[COL_BUSY] = tm_cell_u64(u.busy);
		c[COL_COMPUTE] = tm_cell_u64(u.compute);
		c[COL_EXPOSED_COMM] = tm_cell_u64(u.exposed_comm);
		c[COL_IDLE] = tm_cell_u64(u.idle);
		c[COL_WAIT] = tm_cell_u64(u.wait);
		c[COL_MOVE] = tm_cell_u64(u.move);
	}
	if (w->has_calls)
		c[COL_SYNC] = tm_cell_u64(waited);
	if (clock)
		c[COL_CLOCK] = tm_cell_text(clock->text, clock->len);
	return true;
}

/* What is known of the clock of a rank depends on the others. */
static void fill_errors(const struct ranks *r, struct tm_table *t)
{
	bool one_clock = tm_ranks_one_clock(r);

	for (size_t i = 0; i < t->nrows; i++) {
		struct tm_cell *c = &t->cells[i * t->ncols];
		const struct rank_facts *f = tm_ranks_facts(r, c[COL_RANK].v.u);

		if (f && f->timed && (f->has_error || one_clock))
			c[COL_CLOCK_ERROR] = tm_cell_u64(f->has_error ? f->error : 0);
	}
}

/* Those whose events are not here, too. */
static bool add_kept(struct ranks *r, struct tm_work_rank_notes *notes, struct tm_table *t)
{
	struct tm_state *s = r->w.o->state;

	if (!tm_state_rows(s, t) || !tm_work_state(&r->w, s) || !tm_ranks_state(r, s, NULL, NULL))
		return false;
	tm_state_add(s, &notes->several);
	tm_state_add(s, &notes->silent);
	return true;
}

static enum tm_status fill_ranks(struct ranks *r, struct tm_table *t, struct tm_report *rep)
{
	size_t track = 0, thread = 0;
	struct tm_work_rank_notes notes = { 0 };
	struct tm_work_rank w;

	tm_table_init_list(t, columns);
	if (!tm_work_settle(&r->w))
		return TM_ST_FATAL;
	while (tm_work_rank_next(&w, &r->w, &track, &thread)) {
		bool ok = add_row(r, &w, t);

		tm_work_rank_note(&w, &notes);
		tm_work_rank_fini(&w);
		if (!ok)
			return TM_ST_FATAL;
	}
	if (!add_kept(r, &notes, t))
		return TM_ST_FATAL;
	fill_errors(r, t);
	if (!t->nrows) {
		tm_work_explain_nothing(&r->w, "kernels, copies or API calls", rep);
		return TM_ST_END;
	}
	tm_work_tell(&r->w, rep);
	tm_work_rank_tell(&notes, rep);
	return TM_ST_OK;
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* One measure over the ranks that have it; v is room for as many numbers as there are ranks. */
static bool add_measure(const struct tm_table *ranks, size_t col, uint64_t *v, struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);
	uint64_t most = 0, argmax = 0, having = 0;
	tm_u128 sum = 0;
	size_t n = 0;

	if (!c)
		return false;
	c[IMB_METRIC] = tm_cell_text(columns[col].name, strlen(columns[col].name));
	for (size_t i = 0; i < ranks->nrows; i++) {
		const struct tm_cell *one = ranks->cells + i * ranks->ncols;

		if (one[col].type != TM_CELL_U64)
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
	c[IMB_MIN] = tm_cell_u64(v[0]);
	c[IMB_MEDIAN] = tm_cell_u64(v[(n - 1) / 2]);
	c[IMB_MEAN] = tm_cell_ratio((uint64_t)(sum >> 64), (uint64_t)sum, n);
	c[IMB_MAX] = tm_cell_u64(most);
	c[IMB_OVER] = tm_cell_u64((uint64_t)(((tm_u128)most * n - sum) / n));
	if (!(sum >> 64)) {
		tm_u128 scaled = (tm_u128)most * n;

		c[IMB_RATIO] = tm_cell_ratio((uint64_t)(scaled >> 64), (uint64_t)scaled,
		                             (uint64_t)sum);
	}
	if (having == 1)
		c[IMB_ARGMAX] = tm_cell_u64(argmax);
	return true;
}

static enum tm_status fill_imbalance(struct ranks *r, struct tm_table *t, struct tm_report *rep)
{
	struct tm_table ranks = { 0 };
	enum tm_status st = fill_ranks(r, &ranks, rep);
	uint64_t *v = calloc(ranks.nrows + 1, sizeof *v);

	tm_table_init_list(t, imbalance_columns);
	if (!v)
		st = TM_ST_FATAL;
	for (size_t i = 0; st == TM_ST_OK && i < sizeof tm_measures / sizeof *tm_measures; i++)
		if (!add_measure(&ranks, (size_t)tm_measures[i], v, t))
			st = TM_ST_FATAL;
	if (st == TM_ST_OK && ranks.nrows == 1)
		tm_report_add(rep, TM_SEV_NOTE, NULL, 0,
		              "only one rank: nothing to compare (use RANK=FILE or --rank-from to "
		              "number ranks)");
	free(v);
	tm_table_fini(&ranks);
	return st;
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	if (is_view(o, "imbalance"))
		return fill_imbalance(acc, t, rep);
	if (is_view(o, "collectives"))
		return tm_fill_collectives(acc, t, rep);
	return fill_ranks(acc, t, rep);
}

static const struct tm_metric_view views[] = {
	{ .columns = columns },
	{ .option = "imbalance",
	  .about = "one row per measure: minimum, maximum, and the rank with it",
	  .columns = imbalance_columns,
	  .sums = true },
	{ .option = "collectives",
	  .about = "one row per collective: which rank was last, how long others waited",
	  .columns = tm_collective_columns },
	{ 0 },
};

const struct tm_metric tm_metric_ranks = {
	.name = "ranks",
	.about = "busy, communication and idle time of each rank, and their spread",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats ranks run.db\n"
	            "kstats ranks --imbalance traces/\n",
	.views = views,
	.window = TM_WINDOW_WHOLE,
	.state = 1,
	.sink = RANKS_SINK(init),
	.work = tm_work_itself,
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
