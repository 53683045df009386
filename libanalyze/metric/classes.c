/* SPDX-License-Identifier: MIT
 * What kinds of work did the kernels do?
 *
 * Shares of the sum of kernel durations, of the time in which anything ran, and of the window; the
 * last two from unions, so that kernels side by side do not count twice.  Blind to names: a kernel
 * whose name no rule knows is `other`. */
#include "metric/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COL_CLASS,
	COL_KERNELS,
	COL_CALLS,
	COL_TOTAL,
	COL_KERNEL_PCT,
	COL_BUSY_PCT,
	COL_WINDOW_PCT,
	COL_NAME,
	COL_RULE,
	COL_N,
};

#define CLASS_COLUMNS                                                                              \
	[COL_CLASS] = { .name = "class",                                                           \
		        .title = "CLASS",                                                          \
		        .unit = UNIT_TEXT,                                                         \
		        .about = "class of the kernels; " CLASS_UNKNOWN " = no rule knows them" }, \
	[COL_KERNELS] = { .name = "kernels",                                                       \
		          .title = "KERNELS",                                                      \
		          .unit = UNIT_COUNT,                                                      \
		          .about = "distinct names" },                                             \
	[COL_CALLS] = { .name = "calls",                                                           \
		        .title = "CALLS",                                                          \
		        .unit = UNIT_COUNT,                                                        \
		        .about = "dispatches" },                                                   \
	[COL_TOTAL] = { .name = "total_ns",                                                        \
		        .title = "TOTAL",                                                          \
		        .unit = UNIT_NS,                                                           \
		        .about = "total duration" },                                               \
	[COL_KERNEL_PCT] = { .name = "kernel_pct",                                                 \
		             .title = "KERNEL%",                                                   \
		             .unit = UNIT_PCT,                                                     \
		             .bar = true,                                                          \
		             .about = "share of the sum of all kernel durations" },                \
	[COL_BUSY_PCT] = { .name = "busy_pct",                                                     \
		           .title = "BUSY%",                                                       \
		           .unit = UNIT_PCT,                                                       \
		           .about = "share of the time in which the GPU was busy",                 \
		           .spare = 1 },                                                           \
	[COL_WINDOW_PCT] = { .name = "window_pct",                                                 \
		             .title = "WINDOW%",                                                   \
		             .unit = UNIT_PCT,                                                     \
		             .about = "share of the window",                                       \
		             .spare = 1 }

static const struct column columns[] = { CLASS_COLUMNS, { .name = NULL } };

static const struct column explained[] = {
	CLASS_COLUMNS,
	[COL_NAME] = { .name = "name",
	               .title = "NAME",
	               .unit = UNIT_TEXT,
	               .elastic = true,
	               .about = "the kernel" },
	[COL_RULE] = { .name = "rule",
	               .title = "RULE",
	               .unit = UNIT_TEXT,
	               .elastic = true,
	               .about = "the regular expression that matched first" },
	[COL_N] = { .name = NULL },
};

enum { UN_NAME, UN_CALLS, UN_TOTAL, UN_KERNEL_PCT, UN_N };

static const struct column unclassified[] = {
	[UN_NAME] = { .name = "name",
	              .title = "NAME",
	              .unit = UNIT_TEXT,
	              .elastic = true,
	              .about = "a kernel that no rule knows" },
	[UN_CALLS] = { .name = "calls",
	               .title = "CALLS",
	               .unit = UNIT_COUNT,
	               .about = "dispatches" },
	[UN_TOTAL] = { .name = "total_ns",
	               .title = "TOTAL",
	               .unit = UNIT_NS,
	               .about = "total duration" },
	[UN_KERNEL_PCT] = { .name = "kernel_pct",
	                    .title = "KERNEL%",
	                    .unit = UNIT_PCT,
	                    .bar = true,
	                    .about = "share of the sum of all kernel durations" },
	[UN_N] = { .name = NULL },
};

/* ---- a row a class ---- */

struct class_row {
	const char *class_name;
	uint64_t kernels, calls;
	u128 total, covered;
};

static int by_total(const void *pa, const void *pb)
{
	const struct class_row *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->class_name, b->class_name);
}

static struct cell sum_cell(u128 total)
{
	return total >> 64 ? cell_none() : cell_u64((uint64_t)total);
}

static void fill_cells(struct cell *c, const struct share_sum *s, const struct class_row *r)
{
	c[COL_CLASS] = cell_text(r->class_name, strlen(r->class_name));
	c[COL_KERNELS] = cell_u64(r->kernels);
	c[COL_CALLS] = cell_u64(r->calls);
	c[COL_TOTAL] = sum_cell(r->total);
	c[COL_KERNEL_PCT] = work_pct(r->total, s->total);
	if (!s->unions)
		return;
	c[COL_BUSY_PCT] = work_pct(r->covered, s->busy);
	c[COL_WINDOW_PCT] = work_pct(r->covered, s->window);
}

/* The classes there are, added up; *n of them. */
static struct class_row *add_up(const struct shares *a, const struct share_sum *s, size_t *n)
{
	struct class_row *row = calloc(s->n + 1, sizeof *row);
	uint32_t *set = calloc(s->n + 1, sizeof *set);
	struct names classes = { 0 };
	u128 *covered = NULL;
	bool ok = row && set;

	for (size_t i = 0; ok && i < s->n; i++) {
		const struct share_name *k = &s->name[i];
		uint32_t r = set[i] = names_add(&classes, k->class_name, strlen(k->class_name));

		ok = r != NAME_NONE;
		if (!ok)
			break;
		row[r].class_name = k->class_name;
		row[r].kernels += !k->before;
		row[r].calls += k->calls;
		row[r].total += k->total;
	}
	*n = classes.n;
	if (ok)
		covered = calloc(*n + 1, sizeof *covered);
	ok = covered && shares_covered(a, s, set, *n, covered);
	for (size_t i = 0; ok && i < *n; i++)
		row[i].covered = covered[i];
	free(covered);
	free(set);
	names_fini(&classes);
	if (!ok) {
		free(row);
		return NULL;
	}
	qsort(row, *n, sizeof *row, by_total);
	return row;
}

static bool fill_classes(const struct shares *a, const struct share_sum *s, struct table *t)
{
	size_t n;
	struct class_row *row = add_up(a, s, &n);
	bool ok = row != NULL;

	for (size_t i = 0; ok && i < n; i++) {
		struct cell *c = table_row(t);

		ok = c != NULL;
		if (ok)
			fill_cells(c, s, &row[i]);
	}
	free(row);
	return ok;
}

/* ---- a row a kernel ---- */

static bool fill_explained(const struct share_sum *s, struct table *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		const struct class_row r = { .class_name = n->class_name,
			                     .kernels = !n->before,
			                     .calls = n->calls,
			                     .total = n->total,
			                     .covered = n->covered };
		struct cell *c = table_row(t);

		if (!c)
			return false;
		fill_cells(c, s, &r);
		c[COL_NAME] = cell_text(n->text.text, n->text.len);
		if (n->rule)
			c[COL_RULE] = cell_text(n->rule, strlen(n->rule));
	}
	return true;
}

static bool fill_unclassified(const struct share_sum *s, struct table *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct share_name *n = &s->name[i];
		struct cell *c;

		if (n->before || strcmp(n->class_name, CLASS_UNKNOWN) != 0)
			continue;
		c = table_row(t);
		if (!c)
			return false;
		c[UN_NAME] = cell_text(n->text.text, n->text.len);
		c[UN_CALLS] = cell_u64(n->calls);
		c[UN_TOTAL] = sum_cell(n->total);
		c[UN_KERNEL_PCT] = work_pct(n->total, s->total);
	}
	return true;
}

static bool init(void *acc, const void *arg)
{
	return shares_init(acc, arg, WORK_OP_NAMES);
}

static ev_set want(const struct metric_opts *o)
{
	return shares_want(o, WORK_OP_NAMES);
}

static enum status fill(void *acc, const struct metric_opts *o, struct table *t, struct report *rep)
{
	bool explain = o->view && !strcmp(o->view, "explain"),
	     unknown = o->view && !strcmp(o->view, "unclassified");
	struct shares *a = acc;
	struct share_sum s;
	enum status st;
	bool ok;

	table_init_list(t, explain ? explained : unknown ? unclassified : columns);
	st = shares_sum(a, o, &s, rep);
	if (st == ST_OK) {
		ok = explain   ? fill_explained(&s, t)
		     : unknown ? fill_unclassified(&s, t)
		               : fill_classes(a, &s, t);
		st = ok ? ST_OK : ST_FATAL;
		shares_tell(a, &s, o, rep);
		if (unknown && !t->nrows)
			report_add(rep, SEV_NOTE, NULL, 0, "every kernel%s has a class",
			           o->windowed ? " that starts inside the window" : "");
	}
	free(s.name);
	return st;
}

static const struct metric_view views[] = {
	{ .columns = columns },
	{ .option = "explain",
	  .about = "a row for each kernel, with the rule that gave it its class",
	  .columns = explained },
	{ .option = "unclassified",
	  .about = "list only kernels that match no rule, by time",
	  .columns = unclassified },
	{ 0 },
};
static const char *const options[] = { "max-unclassified", NULL };

const struct metric metric_classes = {
	.name = "classes",
	.about = "kernel time by class of work",
	.group = "Where does the time go?",
	.examples = "kstats classes run_kernel_trace.csv\n"
	            "kstats classes --unclassified run_kernel_trace.csv\n",
	.views = views,
	.options = options,
	.window = WINDOW_SOME,
	.sink = { .size = sizeof(struct shares),
	          .init = init,
	          .piece = shares_piece,
	          .take = shares_take,
	          .merge = shares_merge,
	          .fini = shares_fini },
	.want = want,
	.fill = fill,
};
