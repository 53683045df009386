/* SPDX-License-Identifier: MIT
 * How much GPU work does each region of the program cause, and how long is each step?
 *
 * Regions are the ranges and marks that the program itself named: roctx, user annotations, steps of
 * a profiler.  The tables are made in regions_table.c and steps_table.c. */
#include "metric/regions.h"

static unsigned keep_of(const struct metric_opts *o)
{
	return o->view ? STEP_KEEP : REGION_KEEP;
}

static bool init(void *acc, const void *arg)
{
	return work_init(acc, arg, keep_of(arg));
}

static ev_set want(const struct metric_opts *o)
{
	return work_want(keep_of(o));
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	return o->view ? fill_steps(acc, o, t, rep) : fill_regions(acc, o, t, rep);
}

static const struct metric_view views[] = {
	{ .columns = region_columns },
	{ .option = "steps",
	  .about = "a row for each step (iteration) instead, and how its time was used",
	  .columns = step_columns,
	  .window = WINDOW_WHOLE },
	{ 0 },
};
static const char *const options[] = { "skip", NULL };

const struct metric metric_regions = {
	.name = "regions",
	.about = "GPU work launched by each marked region of the program",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats regions run.pftrace\n"
	            "kstats regions --steps --skip 3 run.pftrace\n",
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
