/* SPDX-License-Identifier: MIT
 * All there is about one kernel, on one page.
 *
 * The numbers are those of other questions, asked of the dispatches whose name matches, as with -k;
 * what runs before and after it is found among all work of the GPUs. */
#include "metric/inside/kernel.h"

#include "metric/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *view;
} parts[PARTS] = {
	[PART_OPS] = { "ops", NULL },
	[PART_REGIONS] = { "regions", "kernels" },
	[PART_OCCUPANCY] = { "occupancy", NULL },
	[PART_COUNTERS] = { "counters", NULL },
	[PART_CLOCK] = { "clock", NULL },
	[PART_SAMPLES] = { "samples", NULL },
	[PART_ROOFLINE] = { "roofline", NULL },
};

/* The options of a question that is asked in this one: its usual ones, all rows and columns. */
static struct tm_metric_opts opts_of(const struct tm_metric_opts *o)
{
	struct tm_metric_opts sub = *o;

	sub.columns = NULL;
	sub.sort = NULL;
	sub.ncolumns = sub.nsort = 0;
	sub.limit = 0;
	sub.width = 0;
	sub.per = 0;
	sub.view = NULL;
	sub.own = NULL;
	sub.strict = false;
	sub.domains = TM_MASK_BIT(TM_DOMAIN_KERNEL);
	return sub;
}

static struct tm_metric_opts sums_of(const struct tm_metric_opts *o)
{
	struct tm_metric_opts sub = opts_of(o);

	sub.per = TM_PER_RANK | TM_PER_AGENT | TM_PER_STREAM | TM_PER_SHAPE;
	return sub;
}

static tm_ev_set want(const struct tm_metric_opts *o)
{
	const struct tm_metric_opts sums = sums_of(o);
	struct tm_metric_opts sub = opts_of(o);
	tm_ev_set all = tm_top_want(&sums) | tm_work_want(TM_WORK_OP_NAMES | TM_WORK_STREAMS) |
	                TM_EV_BIT(TM_EVC_NAME) | TM_EV_BIT(TM_EVC_COUNTER) |
	                TM_EV_BIT(TM_EVC_DOMAIN);

	for (int i = 0; i < PARTS; i++) {
		sub.view = parts[i].view;
		all |= tm_metric_find(parts[i].name)->want(&sub);
	}
	return all & ~TM_EV_BIT(TM_EVC_SKETCH); /* sums of many kernels are of none */
}

/* ---- accumulators ---- */

static bool ask_init(struct kernel_ask *a, const struct tm_metric_opts *o, int part,
                     const struct tm_only *only)
{
	a->m = tm_metric_find(parts[part].name);
	a->o = opts_of(o);
	a->o.view = parts[part].view;
	if (part == PART_COUNTERS)
		a->o.only = only;
	a->own = calloc(1, a->m->own + 1);
	a->acc = calloc(1, a->m->sink.size);
	if (!a->own || !a->acc)
		return false;
	tm_metric_defaults(a->m, a->own, false);
	a->o.own = a->own;
	a->made = a->m->sink.init(a->acc, &a->o);
	return a->made;
}

static void fini(void *acc)
{
	struct kernel *a = acc;

	for (int i = 0; i < PARTS; i++) {
		if (a->ask[i].made)
			a->ask[i].m->sink.fini(a->ask[i].acc);
		free(a->ask[i].acc);
		free(a->ask[i].own);
	}
	if (a->made)
		tm_top_fini(&a->top);
	if (a->worked)
		tm_work_fini(&a->work);
	tm_only_rows_fini(&a->rows);
	tm_only_fini(&a->only);
}

static bool init(void *acc, const void *arg)
{
	const struct tm_metric_opts *o = arg;
	const struct kernel_own *own = o->own;
	struct kernel *a = acc;
	const struct tm_only_words words = {
		.word = { [TM_ONLY_KERNEL] = own->regex ? own->regex : "" },
	};
	struct tm_diag d = { 0 };
	bool ok;

	*a = (struct kernel) { .o = o, .sums = sums_of(o) };
	/* It was understood before (tm_kernel_regex): what fails now is memory. */
	ok = tm_only_init(&a->only, &words, &d);
	a->only.host = true;
	ok = ok && (a->made = tm_top_init(&a->top, &a->sums));
	ok = ok && (a->worked = tm_work_init(&a->work, o, TM_WORK_OP_NAMES | TM_WORK_STREAMS));
	for (int i = 0; ok && i < PARTS; i++)
		ok = ask_init(&a->ask[i], o, i, &a->only);
	if (!ok)
		fini(a);
	return ok;
}

bool tm_kernel_matches(struct kernel *a, const char *name)
{
	int no;

	/* glibc says "no match" when memory ran out; only errno tells. */
	errno = 0;
	no = regexec(&a->only.kernel, name, 0, NULL, 0);
	a->oom |= no && (no != REG_NOMATCH || errno == ENOMEM);
	return !no;
}

static bool piece(void *acc, const struct tm_piece *p)
{
	struct kernel *a = acc;
	bool ok = tm_top_piece(&a->top, p) && tm_work_piece(&a->work, p);

	a->rows.n = 0;
	a->rows.piece = p;
	for (int i = 0; ok && i < PARTS; i++)
		ok = a->ask[i].m->sink.piece(a->ask[i].acc, p);
	return ok;
}

static bool take(void *acc, const struct tm_batch *b)
{
	struct kernel *a = acc;
	const struct tm_batch *mine;
	bool ok = tm_work_take(&a->work, b);

	if (b->kind == TM_EV_COUNTER)
		ok = ok && a->ask[PART_COUNTERS].m->sink.take(a->ask[PART_COUNTERS].acc, b);
	for (int i = PARTS_OF_KERNEL; ok && i < PARTS; i++)
		ok = a->ask[i].m->sink.take(a->ask[i].acc, b);
	ok = ok && tm_only_batch(&a->only, &a->rows, b, &mine, &a->count);
	if (!ok || !mine)
		return ok;
	ok = tm_top_take(&a->top, mine);
	for (int i = 0; ok && i < PARTS_OF_KERNEL; i++)
		ok = (i == PART_COUNTERS && b->kind == TM_EV_COUNTER) ||
		     a->ask[i].m->sink.take(a->ask[i].acc, mine);
	return ok;
}

static bool merge(void *into, void *acc)
{
	struct kernel *a = into, *from = acc;
	bool ok = tm_top_merge(&a->top, &from->top) && tm_work_merge(&a->work, &from->work);

	for (int i = 0; ok && i < PARTS; i++)
		ok = a->ask[i].m->sink.merge(a->ask[i].acc, from->ask[i].acc);
	tm_only_count_add(&a->count, &from->count);
	return ok;
}

static bool done(void *acc, const struct tm_piece *p, const struct tm_loss *l,
                 const struct tm_diag *why)
{
	struct kernel *a = acc;
	bool ok = true;

	for (int i = 0; ok && i < PARTS; i++)
		if (a->ask[i].m->sink.done)
			ok = a->ask[i].m->sink.done(a->ask[i].acc, p, l, why);
	return ok;
}

/* ---- the question ---- */

static const struct tm_metric_option regex = {
	.name = "REGEX",
	TM_METRIC_TO_TEXT(struct kernel_own, regex),
	.arg = "REGEX",
	.about = "kernels whose full name matches, as with -k",
};

static bool understood(const char *text, struct tm_diag *d)
{
	const struct tm_only_words words = { .word = { [TM_ONLY_KERNEL] = text } };
	struct tm_only only;
	bool ok = tm_only_init(&only, &words, d);

	/* It is an operand here, not the value of -k. */
	if (!ok && !strncmp(d->text, "-k ", 3))
		memmove(d->text, d->text + 3, strlen(d->text + 3) + 1);
	tm_only_fini(&only);
	return ok;
}

static const struct tm_metric_view views[] = { { .columns = tm_kernel_columns, .whole = true },
	                                       { 0 } };

const struct tm_metric tm_metric_kernel = {
	.name = "kernel",
	.about = "all about one kernel, on one page",
	.group = "Inside a kernel",
	.examples = "kstats kernel 'Cijk_.*MT128x128' results.db\n"
	            "kstats kernel softmax -f csv traces/\n",
	.views = views,
	.operand = &regex,
	.understood = understood,
	.own = sizeof(struct kernel_own),
	.whole = TM_WHOLE_AGENTS & ~TM_ONLY_BIT(TM_ONLY_STREAM),
	.sink = { .size = sizeof(struct kernel),
	          .init = init,
	          .piece = piece,
	          .take = take,
	          .merge = merge,
	          .fini = fini,
	          .done = done },
	.want = want,
	.fill = tm_kernel_fill,
};
