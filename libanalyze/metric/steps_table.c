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

const struct column step_columns[] = {
	[COL_RANK] = { .name = "rank",
	               .title = "RANK",
	               .about = "rank of the process",
	               .unit = UNIT_ID },
	[COL_STEP] = { .name = "step",
	               .title = "STEP",
	               .about = "its number: that of the marker, or from 1",
	               .unit = UNIT_ID },
	[COL_START] = { .name = "start_ns",
	                .title = "START",
	                .about = "when it begins",
	                .unit = UNIT_ID,
	                .spare = 1 },
	[COL_WINDOW] = { .name = "window_ns",
	                 .title = "WINDOW",
	                 .about = "how long it is",
	                 .unit = UNIT_NS,
	                 .bar = true },
	[COL_BUSY] = { .name = "busy_ns",
	               .title = "BUSY",
	               .about = "something ran",
	               .unit = UNIT_NS,
	               .tight = 3 },
	[COL_COMPUTE] = { .name = "compute_ns",
	                  .title = "COMPUTE",
	                  .about = "a compute kernel ran",
	                  .unit = UNIT_NS },
	[COL_EXPOSED_COMM] = { .name = "exposed_comm_ns",
	                       .title = "+COMM",
	                       .about = "a communication kernel ran, but no compute kernel",
	                       .unit = UNIT_NS },
	[COL_EXPOSED_COPY] = { .name = "exposed_copy_ns",
	                       .title = "+COPY",
	                       .about =
	                               "copies or fills ran, but no kernel (waiting kernels aside)",
	                       .unit = UNIT_NS },
	[COL_IDLE] = { .name = "idle_ns",
	               .title = "+IDLE",
	               .about = "nothing ran",
	               .unit = UNIT_NS },
	[COL_KERNELS] = { .name = "kernels",
	                  .title = "KERNELS",
	                  .about = "kernels that start inside it",
	                  .unit = UNIT_COUNT,
	                  .tight = 2 },
	[COL_SYNC] = { .name = "sync_ns",
	               .title = "SYNC",
	               .about = "a host thread waited for the GPU",
	               .unit = UNIT_NS,
	               .tight = 1 },
	[COL_WAIT] = { .name = "wait_ns",
	               .title = "+WAIT",
	               .about = "only kernels of class sync (waiting) ran",
	               .unit = UNIT_NS },
	[COL_MOVE] = { .name = "move_ns",
	               .title = "+MOVE",
	               .about = "a kernel of class memory (copy, fill) ran, but no compute or "
	                        "communication",
	               .unit = UNIT_NS },
	[COL_N] = { 0 },
};

static bool add_row(const struct step *s, struct table *t)
{
	struct cell *c = table_row(t);

	if (!c)
		return false;
	c[COL_RANK] = cell_u64(s->rank);
	c[COL_STEP] = cell_u64(s->number);
	c[COL_START] = cell_u64(s->at.lo);
	c[COL_WINDOW] = cell_u64(s->at.hi - s->at.lo);
	return true;
}

/* What is known before the operations of the rank are put together; of the rows from `first` on. */
static bool fill_kernels(const struct work_rank *r, struct table *t, size_t first)
{
	size_t n = t->nrows - first;
	struct extent *at = calloc(n + 1, sizeof *at);
	uint64_t *kernels = calloc(n + 1, sizeof *kernels);
	bool ok = at && kernels;

	for (size_t i = 0; ok && i < n; i++) {
		const struct cell *c = &t->cells[(first + i) * t->ncols];

		at[i].lo = c[COL_START].v.u;
		at[i].hi = at[i].lo + c[COL_WINDOW].v.u;
	}
	if (ok)
		work_rank_kernels(r, at, n, kernels);
	for (size_t i = 0; ok && i < n; i++)
		t->cells[(first + i) * t->ncols + COL_KERNELS] = cell_u64(kernels[i]);
	free(at);
	free(kernels);
	return ok;
}

/* The rest. */
static void fill_row(const struct work_rank *r, struct cell *c)
{
	const struct extent at = { c[COL_START].v.u, c[COL_START].v.u + c[COL_WINDOW].v.u };

	if (r->ntrack) {
		const struct work_use u = work_rank_use(r, at);

		c[COL_BUSY] = cell_u64(u.busy);
		c[COL_COMPUTE] = cell_u64(u.compute);
		c[COL_EXPOSED_COMM] = cell_u64(u.exposed_comm);
		c[COL_EXPOSED_COPY] = cell_u64(u.exposed_copy);
		c[COL_IDLE] = cell_u64(u.idle);
		c[COL_WAIT] = cell_u64(u.wait);
		c[COL_MOVE] = cell_u64(u.move);
	}
	if (r->has_calls)
		c[COL_SYNC] = cell_u64(work_rank_waited(r, at));
}

/* The steps of one rank, from *at on. */
static bool add_rank(struct work_rank *r, const struct work *w, const struct steps *s, size_t *at,
                     struct table *t)
{
	size_t first = t->nrows;

	for (uint64_t i = 0; *at < s->n && s->v[*at].rank == r->rank; i++, ++*at) {
		const struct step *one = &s->v[*at];

		if (i >= w->o->skip && one->at.lo >= r->asked.lo && one->at.lo < r->asked.hi &&
		    !add_row(one, t))
			return false;
	}
	if ((r->ntrack && !fill_kernels(r, t, first)) || !work_rank_unite(r, w))
		return false;
	for (size_t i = first; i < t->nrows; i++)
		fill_row(r, &t->cells[i * t->ncols]);
	return true;
}

static enum status fill_found(struct work *w, const struct steps *s, struct table *t,
                              struct report *rep)
{
	size_t track = 0, thread = 0, at = 0;
	struct work_rank_notes notes = { 0 };
	struct work_rank r;

	while (work_rank_next(&r, w, &track, &thread)) {
		bool ok = add_rank(&r, w, s, &at, t);

		work_rank_note(&r, &notes);
		work_rank_fini(&r);
		if (!ok)
			return ST_FATAL;
	}
	work_rank_tell(&notes, rep);
	return ST_OK;
}

enum status fill_steps(struct work *w, const struct metric_opts *o, struct table *t,
                       struct report *rep)
{
	struct steps s;
	enum status st = ST_FATAL;

	table_init_list(t, step_columns);
	if (work_settle(w))
		st = steps_find(&s, w, rep);
	if (st == ST_FATAL)
		return st;
	if (st == ST_END)
		work_explain_nothing(w, "markers and no kernels", rep);
	else
		st = fill_found(w, &s, t, rep);
	if (st == ST_OK && !t->nrows) {
		report_add(rep, SEV_ERROR, NULL, 0,
		           "nothing to show: all %zu steps are skipped by %s", s.n,
		           !o->windowed ? "--skip"
		           : o->skip    ? "--skip and -w"
		                        : "-w");
		st = ST_END;
	}
	steps_fini(&s);
	if (st == ST_OK)
		work_tell(w, rep);
	return st;
}
