/* SPDX-License-Identifier: MIT
 * Every step of every rank, and how its time was used.
 *
 *     compute + wait + move + exposed_comm + exposed_copy + idle = window        exact
 *
 * Unions are over all agents of the rank.  What was launched in a step and runs behind its end
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

const struct tm_metric_option tm_step_options[] = {
	{ .name = "skip",
	  TM_METRIC_TO_U64(struct step_own, skip),
	  .arg = "N",
	  .about = "skip the first N steps (warm-up)",
	  .dflt = "0" },
	{ 0 },
};

enum tm_status tm_fill_steps(struct tm_work *w, const struct tm_metric_opts *o, struct tm_table *t,
                             struct tm_report *rep)
{
	struct tm_step_rows rows;
	enum tm_status st = tm_step_rows_make(&rows, w, o, rep);

	tm_table_init_list(t, tm_step_columns);
	for (size_t i = 0; st == TM_ST_OK && i < rows.n; i++)
		if (!add_row(&rows.v[i], t))
			st = TM_ST_FATAL;
	tm_step_rows_fini(&rows);
	return st;
}
