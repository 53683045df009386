/* SPDX-License-Identifier: MIT
 * Every step of every rank, and how its time was used.
 *
 *     compute + wait + move + exposed_comm + exposed_copy + idle = window        exact
 *
 * Unions are over all agents of the rank.  What was launched in a step and runs after its end
 * belongs to the step in which it runs. */
#include "metric/steps/regions.h"
#include "metric/steps/steps.h"

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
	[COL_RANK] = { TM_COLUMN_RANK },
	[COL_STEP] = { TM_COLUMN_STEP },
	[COL_START] = { TM_COLUMN_START, .spare = 1 },
	[COL_WINDOW] = { TM_COLUMN_STEP_WINDOW, .bar = true },
	[COL_BUSY] = { TM_COLUMN_BUSY, .tight = 3 },
	[COL_COMPUTE] = { TM_COLUMN_COMPUTE },
	[COL_EXPOSED_COMM] = { TM_COLUMN_EXPOSED_COMM },
	[COL_EXPOSED_COPY] = { TM_COLUMN_EXPOSED_COPY },
	[COL_IDLE] = { TM_COLUMN_IDLE },
	[COL_KERNELS] = { TM_COLUMN_KERNELS, .tight = 2 },
	[COL_SYNC] = { TM_COLUMN_SYNC, .tight = 1 },
	[COL_WAIT] = { TM_COLUMN_WAIT, .tight = 1 },
	[COL_MOVE] = { TM_COLUMN_MOVE, .tight = 1 },
	[COL_N] = { 0 },
};

static bool add_row(const struct tm_step_row *s, struct tm_table *t)
{
	struct tm_cell *c = tm_table_row(t);

	if (!c)
		return false;
	c[COL_RANK] = tm_cell_u64(s->step.rank);
	c[COL_STEP] = tm_cell_u64(s->step.number);
	c[COL_START] = tm_cell_u64(s->step.at.lo);
	c[COL_WINDOW] = tm_cell_u64(s->step.at.hi - s->step.at.lo);
	if (s->gpu) {
		c[COL_BUSY] = tm_cell_u64(s->use.busy);
		c[COL_COMPUTE] = tm_cell_u64(s->use.compute);
		c[COL_EXPOSED_COMM] = tm_cell_u64(s->use.exposed_comm);
		c[COL_EXPOSED_COPY] = tm_cell_u64(s->use.exposed_copy);
		c[COL_IDLE] = tm_cell_u64(s->use.idle);
		c[COL_KERNELS] = tm_cell_u64(s->kernels);
		c[COL_WAIT] = tm_cell_u64(s->use.wait);
		c[COL_MOVE] = tm_cell_u64(s->use.move);
	}
	if (s->calls)
		c[COL_SYNC] = tm_cell_u64(s->sync);
	return true;
}

#define SKIP                                                                                       \
	.name = "skip", TM_METRIC_TO_U64(struct step_own, skip), .arg = "N",                       \
	.about = "skip the first N steps (warm-up)", .dflt = "0"

const struct tm_metric_option tm_step_options[] = { { SKIP }, { 0 } };
const struct tm_metric_option tm_region_options[] = { { SKIP, .view = "steps" }, { 0 } };

enum tm_status tm_fill_steps(struct tm_work *w, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep)
{
	struct tm_step_rows rows;
	enum tm_status st = tm_step_rows_make(&rows, w, o, rep);

	tm_table_init_list(t, tm_step_columns);
	if (st == TM_ST_OK && !tm_table_rows(t, rows.n))
		st = TM_ST_FATAL;
	for (size_t i = 0; st == TM_ST_OK && i < rows.n; i++)
		if (!add_row(&rows.v[i], t))
			st = TM_ST_FATAL;
	if (st == TM_ST_OK && !tm_work_origins(w, t))
		st = TM_ST_FATAL;
	tm_step_rows_fini(&rows);
	return st;
}
