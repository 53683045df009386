/* SPDX-License-Identifier: MIT
 * Every step of every rank, and how its time was used.
 *
 *     compute + wait + move + exposed_comm + exposed_copy + idle = window        exact
 *
 * Unions are over all agents of the rank.  What was launched in a step and runs behind its end
 * belongs to the step in which it runs. */
#include "metric/regions.h"
#include "work/work.h"

#include <stdlib.h>

enum {
	COL_RANK,
	COL_STEP,
	COL_START,
	COL_WINDOW,
	COL_BUSY,
	COL_COMPUTE,
	COL_EXPOSED_COMM,
	COL_EXPOSED_COPY,
	COL_IDLE,
	COL_KERNELS,
	COL_SYNC,
	COL_WAIT,
	COL_MOVE,
	COL_N,
};

const struct tm_column tm_step_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = TM_UNIT_ID },
	[COL_STEP] = { .name = "step",
	               .title = "STEP",
	               .about = "its number: that of the marker, or from 1",
	               .unit = TM_UNIT_ID },
	[COL_START] = { .name = "start_ns",
	                .title = "START",
	                .about = "when it begins",
	                .unit = TM_UNIT_ID,
	                .spare = 1 },
	[COL_WINDOW] = { .name = "window_ns",
	                 .title = "WINDOW",
	                 .about = "how long it is",
	                 .unit = TM_UNIT_NS,
	                 .bar = true },
	[COL_BUSY] = { .name = "busy_ns",
	               .title = "BUSY",
	               .about = "something ran",
	               .unit = TM_UNIT_NS,
	               .tight = 3 },
	[COL_COMPUTE] = { .name = "compute_ns",
	                  .title = "COMPUTE",
	                  .about = "a compute kernel ran",
	                  .unit = TM_UNIT_NS },
	[COL_EXPOSED_COMM] = { .name = "exposed_comm_ns",
	                       .title = "+COMM",
	                       .about = "a communication kernel ran, but no compute kernel",
	                       .unit = TM_UNIT_NS },
	[COL_EXPOSED_COPY] = { .name = "exposed_copy_ns",
	                       .title = "+COPY",
	                       .about =
	                               "copies or fills ran, but no kernel (waiting kernels aside)",
	                       .unit = TM_UNIT_NS },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "+IDLE",
	               .about = "nothing ran",
	               .unit = TM_UNIT_NS },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .about = "kernels that start inside it",
	                  .unit = TM_UNIT_COUNT,
	                  .tight = 2 },
	[COL_SYNC] = { .name = "sync_ns",
	               .title = "SYNC",
	               .about = "a host thread waited for the GPU",
	               .unit = TM_UNIT_NS,
	               .tight = 1 },
	[COL_WAIT] = { .name = "wait_ns",
	               .title = "+WAIT",
	               .about = "only kernels of class sync (waiting) ran",
	               .unit = TM_UNIT_NS },
	[COL_MOVE] = { .name = "move_ns",
	               .title = "+MOVE",
	               .about = "a kernel of class memory (copy, fill) ran, but no compute or "
	                        "communication",
	               .unit = TM_UNIT_NS },
	[COL_N] = { 0 },
};

static bool add_row(const struct tm_step *s, struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_RANK] = tm_cell_u64(s->rank);
	c[COL_STEP] = tm_cell_u64(s->number);
	c[COL_START] = tm_cell_u64(s->at.lo);
	c[COL_WINDOW] = tm_cell_u64(s->at.hi - s->at.lo);
	return true;
}

/* What is known before the operations of the rank are put together; of the rows from `first` on. */
static bool fill_kernels(const struct tm_work_rank *r, struct tm_table *t, size_t first)
{
	size_t n = t->nrows - first;
	struct tm_extent *at = calloc(n + 1, sizeof *at);
	uint64_t *kernels = calloc(n + 1, sizeof *kernels);
	bool ok = at && kernels;

	for (size_t i = 0; ok && i < n; i++) {
		const struct tm_cell *c = &t->cells[(first + i) * t->ncols];

		at[i].lo = c[COL_START].v.u;
		at[i].hi = at[i].lo + c[COL_WINDOW].v.u;
	}
	if (ok)
		tm_work_rank_kernels(r, at, n, kernels);
	for (size_t i = 0; ok && i < n; i++)
		t->cells[(first + i) * t->ncols + COL_KERNELS] = tm_cell_u64(kernels[i]);
	free(at);
	free(kernels);
	return ok;
}

/* The rest. */
static void fill_row(const struct tm_work_rank *r, struct tm_cell *c)
{
	const struct tm_extent at = { c[COL_START].v.u, c[COL_START].v.u + c[COL_WINDOW].v.u };

	if (r->ntrack) {
		const struct tm_work_use u = tm_work_rank_use(r, at);

		c[COL_BUSY] = tm_cell_u64(u.busy);
		c[COL_COMPUTE] = tm_cell_u64(u.compute);
		c[COL_EXPOSED_COMM] = tm_cell_u64(u.exposed_comm);
		c[COL_EXPOSED_COPY] = tm_cell_u64(u.exposed_copy);
		c[COL_IDLE] = tm_cell_u64(u.idle);
		c[COL_WAIT] = tm_cell_u64(u.wait);
		c[COL_MOVE] = tm_cell_u64(u.move);
	}
	if (r->has_calls)
		c[COL_SYNC] = tm_cell_u64(tm_work_rank_waited(r, at));
}

const struct tm_metric_option tm_step_options[] = {
	{ .name = "skip",
	  TM_METRIC_TO_U64(struct step_own, skip),
	  .arg = "N",
	  .about = "skip the first N steps (warm-up)",
	  .dflt = "0" },
	{ 0 },
};

/* The steps of one rank, from *at on. */
static bool add_rank(struct tm_work_rank *r, const struct tm_work *w, const struct tm_steps *s,
                     size_t *at, struct tm_table *t)
{
	const struct step_own *own = w->o->own;
	size_t first = t->nrows;

	for (uint64_t i = 0; *at < s->n && s->v[*at].rank == r->rank; i++, ++*at) {
		const struct tm_step *one = &s->v[*at];

		if (i >= own->skip && one->at.lo >= r->asked.lo && one->at.lo < r->asked.hi &&
		    !add_row(one, t))
			return false;
	}
	if ((r->ntrack && !fill_kernels(r, t, first)) || !tm_work_rank_unite(r, w))
		return false;
	for (size_t i = first; i < t->nrows; i++)
		fill_row(r, &t->cells[i * t->ncols]);
	return true;
}

static enum tm_status fill_found(struct tm_work *w, const struct tm_steps *s, struct tm_table *t,
                                 struct tm_report *rep)
{
	size_t track = 0, thread = 0, at = 0;
	struct tm_work_rank_notes notes = { 0 };
	struct tm_work_rank r;

	while (tm_work_rank_next(&r, w, &track, &thread)) {
		bool ok = add_rank(&r, w, s, &at, t);

		tm_work_rank_note(&r, &notes);
		tm_work_rank_fini(&r);
		if (!ok)
			return TM_ST_FATAL;
	}
	tm_work_rank_tell(&notes, rep);
	return TM_ST_OK;
}

enum tm_status tm_fill_steps(struct tm_work *w, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep)
{
	const struct step_own *own = o->own;
	struct tm_steps s;
	enum tm_status st = TM_ST_FATAL;

	tm_table_init_list(t, tm_step_columns);
	if (tm_work_settle(w))
		st = tm_steps_find(&s, w, rep);
	if (st == TM_ST_FATAL)
		return st;
	if (st == TM_ST_END)
		tm_work_explain_nothing(w, "markers and no kernels", rep);
	else
		st = fill_found(w, &s, t, rep);
	if (st == TM_ST_OK && !t->nrows) {
		tm_report_add(rep, TM_SEV_ERROR, NULL, 0,
		              "nothing to show: all %zu steps are skipped by %s", s.n,
		              !o->windowed ? "--skip"
		              : own->skip  ? "--skip and -w"
		                           : "-w");
		st = TM_ST_END;
	}
	tm_steps_fini(&s);
	if (st == TM_ST_OK)
		tm_work_tell(w, rep);
	return st;
}
