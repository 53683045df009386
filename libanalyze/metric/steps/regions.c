/* SPDX-License-Identifier: MIT
 * How much GPU work does each region of the program cause, and how long is each step?
 *
 * Regions are the ranges and marks that the program itself named: roctx, user annotations, steps of
 * a profiler.  The tables are made in regions_table.c, regions_kernels.c and steps_table.c. */
#include "metric/steps/regions.h"

#include <string.h>

/* What the view needs. */
struct acc {
	bool steps;
	struct tm_stack_opts so;
	struct tm_began began;
	uint64_t rank;
	union {
		struct tm_stack stack;
		struct tm_work work;
	} in;
};

static bool is_view(const struct tm_metric_opts *o, const char *view)
{
	return o->view && !strcmp(o->view, view);
}

static void window_of(const void *arg, uint64_t rank, struct tm_extent *w)
{
	tm_metric_window(arg, rank, w);
}

static struct tm_stack_opts opts_of(const struct tm_metric_opts *o)
{
	return (struct tm_stack_opts) {
		.window = window_of,
		.arg = o,
		.dispatches = (o->domains & TM_EV_BIT(TM_DOMAIN_KERNEL)) != 0,
		.copies = (o->domains & TM_EV_BIT(TM_DOMAIN_COPY)) != 0,
		.names = is_view(o, "kernels"),
		.annotations = true,
		.by_time = true,
		.in_order = true,
		.overlapping = o->windowed,
	};
}

static bool init(void *acc, const void *arg)
{
	const struct tm_metric_opts *o = arg;
	struct acc *a = acc;

	a->steps = is_view(o, "steps");
	a->so = opts_of(o);
	a->began = (struct tm_began) { .ranks = { .words = 1 } };
	return a->steps ? tm_work_init(&a->in.work, o, STEP_KEEP)
	                : tm_stack_init(&a->in.stack, &a->so);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct acc *a = acc;

	a->rank = p->id.rank;
	return a->steps ? tm_work_piece(&a->in.work, p) : tm_stack_piece(&a->in.stack, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct acc *a = acc;

	if (a->steps)
		return tm_work_take(&a->in.work, b);
	return tm_began_take(&a->began, a->rank, b) && tm_stack_take(&a->in.stack, b);
}

static bool merge(void *into, void *from)
{
	struct acc *a = into, *f = from;

	if (a->steps)
		return tm_work_merge(&a->in.work, &f->in.work);
	return tm_began_merge(&a->began, &f->began) && tm_stack_merge(&a->in.stack, &f->in.stack);
}

static void fini(void *acc)
{
	struct acc *a = acc;

	tm_began_fini(&a->began);
	if (a->steps)
		tm_work_fini(&a->in.work);
	else
		tm_stack_fini(&a->in.stack);
}

static struct tm_stack *stack_of(void *acc)
{
	struct acc *a = acc;

	return a->steps ? NULL : &a->in.stack;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_stack_opts so = opts_of(o);

	return is_view(o, "steps") ? tm_work_want(STEP_KEEP) : tm_stack_want(&so);
}

static enum tm_status fill(void *acc, const struct tm_metric_opts *o, struct tm_table *t,
                           struct tm_report *rep)
{
	struct acc *a = acc;

	return a->steps ? tm_fill_steps(&a->in.work, o, t, rep)
	                : tm_fill_regions(&a->in.stack, &a->began, o, t, rep);
}

#define NO_NAME "only --kernels shows names of kernels"

static const struct tm_metric_view views[] = {
	{ .columns = tm_region_columns, .no_name = NO_NAME },
	{ .option = "kernels",
	  .about = "one row per region and kernel that it launched outside its inner regions",
	  .columns = tm_region_kernel_columns },
	{ .option = "list",
	  .about = "one row per occurrence of each region",
	  .columns = tm_region_list_columns,
	  .no_name = NO_NAME },
	{ .option = "steps",
	  .about = "one row per step (iteration), and how its time was used",
	  .columns = tm_step_columns,
	  .window = TM_WINDOW_WHOLE,
	  .no_name = NO_NAME },
	{ 0 },
};

const struct tm_metric tm_metric_regions = {
	.name = "regions",
	.about = "GPU work launched by each marked region of the program",
	.group = "Which step is slow, which rank is late?",
	.examples = "kstats regions run.pftrace\n"
	            "kstats regions --kernels -n 10 run.pftrace\n",
	.views = views,
	.options = tm_region_options,
	.own = sizeof(struct step_own),
	.takes = TM_TAKES_NAME | TM_TAKES_CLASS | TM_TAKES_WORK,
	.state = 1,
	.sink = { .size = sizeof(struct acc),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini },
	.whole = TM_WHOLE_AGENTS,
	.want = want,
	.stack = stack_of,
	.fill = fill,
};
