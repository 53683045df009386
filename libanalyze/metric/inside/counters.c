/* SPDX-License-Identifier: MIT
 * What did the hardware count, kernel by kernel, and what follows from it? */
#include "metric/inside/counters.h"

#include <string.h>

/* The columns of both views. */
#define SHARED_COLUMNS                                                                             \
	[CNT_NAME] = { .name = "name",                                                             \
		       .title = "NAME",                                                            \
		       .unit = TM_UNIT_TEXT,                                                       \
		       .elastic = true,                                                            \
		       .about = "kernel" },                                                        \
	[CNT_COUNTER] = { .name = "counter",                                                       \
		          .title = "COUNTER",                                                      \
		          .unit = TM_UNIT_TEXT,                                                    \
		          .about = "counter, or metric derived from counters" },                   \
	[CNT_DISPATCHES] = { .name = "dispatches",                                                 \
		             .title = "DISPATCHES",                                                \
		             .unit = TM_UNIT_COUNT,                                                \
		             .spare = 2,                                                           \
		             .about = "dispatches with a value" },                                 \
	[CNT_SUM] = { .name = "sum",                                                               \
		      .title = "SUM",                                                              \
		      .unit = TM_UNIT_COUNT,                                                       \
		      .spare = 3,                                                                  \
		      .about = "sum over these dispatches; absent for a metric that does not add " \
		               "up" },                                                             \
	[CNT_MEAN] = { .name = "mean",                                                             \
		       .title = "MEAN",                                                            \
		       .unit = TM_UNIT_COUNT,                                                      \
		       .about = "mean per dispatch; if it does not add up, the formula applied "   \
		                "to the sums" },                                                   \
	[CNT_MIN] = { .name = "min",                                                               \
		      .title = "MIN",                                                              \
		      .unit = TM_UNIT_COUNT,                                                       \
		      .spare = 1,                                                                  \
		      .about = "of one dispatch" },                                                \
	[CNT_MAX] = { .name = "max",                                                               \
		      .title = "MAX",                                                              \
		      .unit = TM_UNIT_COUNT,                                                       \
		      .spare = 1,                                                                  \
		      .about = "of one dispatch" },                                                \
	[CNT_UNIT] = { .name = "unit",                                                             \
		       .title = "UNIT",                                                            \
		       .unit = TM_UNIT_TEXT,                                                       \
		       .about = "unit of these numbers; absent if unknown" },                      \
	[CNT_DERIVED] = { .name = "derived",                                                       \
		          .title = "DERIVED",                                                      \
		          .unit = TM_UNIT_COUNT,                                                   \
		          .machine = true,                                                         \
		          .about = "1 = metric derived from counters, 0 = counter" },              \
	[CNT_ARCH] = { .name = "arch",                                                             \
		       .title = "ARCH",                                                            \
		       .unit = TM_UNIT_TEXT,                                                       \
		       .machine = true,                                                            \
		       .about = "architecture of the GPU" },                                       \
	[CNT_NOTE] = { .name = "note",                                                             \
		       .title = "NOTE",                                                            \
		       .unit = TM_UNIT_TEXT,                                                       \
		       .machine = true,                                                            \
		       .about = "what the numbers depend on, or why there are none" }

const struct tm_column tm_counters_columns[CNT_FORMULA + 1] = {
	SHARED_COLUMNS,
	[CNT_FORMULA] = { .name = NULL },
};

const struct tm_column tm_counters_explained[CNT_COLUMNS + 1] = {
	SHARED_COLUMNS,
	[CNT_FORMULA] = { .name = "formula",
	                  .title = "FORMULA",
	                  .unit = TM_UNIT_TEXT,
	                  .about = "formula of the metric" },
	[CNT_ABOUT] = { .name = "about",
	                .title = "ABOUT",
	                .unit = TM_UNIT_TEXT,
	                .machine = true,
	                .about = "meaning of the metric" },
	[CNT_COLUMNS] = { .name = NULL },
};

static tm_ev_set want(const struct tm_metric_opts *o)
{
	(void)o;
	return tm_counters_want();
}

static bool init(void *acc, const void *arg)
{
	struct counters *a = acc;

	*a = (struct counters) { .o = arg };
	tm_counters_init(&a->c);
	a->c.only = a->o->only;
	return true;
}

static void fini(void *acc)
{
	tm_counters_fini(&((struct counters *)acc)->c);
}

static bool piece(void *acc, const struct tm_piece *p)
{
	return tm_counters_piece(&((struct counters *)acc)->c, p);
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct counters *a = acc;
	bool ok = true;

	if (b->kind == TM_EV_AGENT)
		return tm_counters_agents(&a->c, b);
	if (b->kind == TM_EV_DISPATCH)
		a->dispatches += b->n;
	if (b->kind == TM_EV_STAT || b->kind == TM_EV_ROLLUP)
		a->stats += b->n;
	if (b->kind != TM_EV_COUNTER && b->kind != TM_EV_DISPATCH)
		return true;
	for (uint32_t i = 0; ok && i < b->n; i++)
		ok = tm_counters_take(&a->c, b, i);
	return ok;
}

/* Who wrote it is sure at the end. */
static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct counters *a = acc;
	const char *by = p->id.producer;

	(void)l, (void)why;
	a->swapped |= by && !strcmp(by, "rocprofv2 5.7");
	a->running |= by && !strcmp(by, "rocpd convert");
	return true;
}

static bool merge(void *into, void *from)
{
	struct counters *a = into, *b = from;

	a->dispatches += b->dispatches;
	a->stats += b->stats;
	a->swapped |= b->swapped;
	a->running |= b->running;
	return tm_counters_merge(&a->c, &b->c);
}

static const struct tm_metric_option options[] = {
	{ .name = "arch",
	  TM_METRIC_TO_TEXT(struct counters_own, arch),
	  .arg = "GFX",
	  .about = "architecture if the input names none, e.g. gfx942" },
	{ .name = "cus",
	  TM_METRIC_TO_U64(struct counters_own, cus),
	  .arg = "N",
	  .min = 1,
	  .max = UINT16_MAX,
	  .about = "compute units, if not in the input" },
	{ .name = "xccs",
	  TM_METRIC_TO_U64(struct counters_own, xccs),
	  .arg = "N",
	  .min = 1,
	  .max = UINT16_MAX,
	  .about = "XCCs of the GPUs; overrides the input" },
	{ .name = "ses",
	  TM_METRIC_TO_U64(struct counters_own, ses),
	  .arg = "N",
	  .min = 1,
	  .max = UINT16_MAX,
	  .about = "shader engines, which no input contains" },
	{ .name = "formulas",
	  TM_METRIC_TO_TEXT(struct counters_own, formulas),
	  .arg = "FILE",
	  .about = "your own metrics, which override built-in ones" },
	{ 0 },
};

static const struct tm_metric_view views[] = { { .columns = tm_counters_columns },
	                                       { .option = "explain",
	                                         .about = "also print the formula of each metric",
	                                         .columns = tm_counters_explained },
	                                       { 0 } };

const struct tm_metric tm_metric_counters = {
	.name = "counters",
	.about = "hardware counters of each kernel, and derived metrics",
	.group = "Inside a kernel",
	.examples = "kstats counters counter_collection.csv agent_info.csv\n"
	            "kstats counters --explain -k gemm results.db\n",
	.views = views,
	.options = options,
	.own = sizeof(struct counters_own),
	.takes = TM_TAKES_NAME,
	.keeps_counted = true,
	.sink = { .size = sizeof(struct counters),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .done = done,
	          .fini = fini },
	.want = want,
	.fill = tm_counters_fill,
};
