/* SPDX-License-Identifier: MIT
 * How much GPU work does each region of the program cause, and how long is each step?
 *
 * Regions are the ranges and marks that the program itself named: roctx, user annotations, steps of
 * a profiler.  The tables are made in regions_table.c and steps_table.c. */
#include "metric/regions.h"

static unsigned keep_of(const struct tm_metric_opts *o)
{
	return o->view ? STEP_KEEP : REGION_KEEP;
}

static bool init(void *acc, const void *arg)
{
	return tm_work_init(acc, arg, keep_of(arg));
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	return tm_work_want(keep_of(o));
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	return o->view ? tm_fill_steps(acc, o, t, rep) : tm_fill_regions(acc, o, t, rep);
}

static const struct tm_metric_view views[] = {
	{ .columns = tm_region_columns },
	{ .option = "steps",
	  .about = "a row for each step (iteration) instead, and how its time was used",
	  .columns = tm_step_columns,
	  .window = TM_WINDOW_WHOLE },
	{ 0 },
};

const struct tm_metric tm_metric_regions = {
	.name = "regions",
	.about = "GPU work launched by each marked region of the program",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats regions run.pftrace\n"
	            "kstats regions --steps --skip 3 run.pftrace\n",
	.views = views,
	.options = tm_step_options,
	.own = sizeof(struct step_own),
	.sink = { .size = sizeof(struct tm_work),
	          .init = init,
	          .piece = tm_work_piece,
	          .take = tm_work_take,
	          .merge = tm_work_merge,
	          .fini = tm_work_fini },
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.fill = fill,
};
